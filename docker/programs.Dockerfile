#   docker build --file docker/programs.Dockerfile --tag engram-programs .
# Where a build cannot reach a package index, put the wheels of engram-pg and of all it needs into docker/wheels first.

FROM debian:trixie-slim AS build
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends python3 python3-venv >/dev/null \
 && rm -rf /var/lib/apt/lists/*
COPY docker/wheels/ /wheels/
COPY pyproject.toml README.md LICENSE /src/
COPY tools/build_hook.py /src/tools/
COPY engram_pg/ /src/engram_pg/
COPY sql/ /src/sql/
COPY examples/ /src/examples/
RUN python3 -m venv /opt/engram \
 && if ls /wheels/engram_pg-*.whl >/dev/null 2>&1; then \
        /opt/engram/bin/pip install --quiet --no-cache-dir --no-index /wheels/*.whl; \
    else \
        /opt/engram/bin/pip install --quiet --no-cache-dir '/src[openai]'; \
    fi


FROM debian:trixie-slim
RUN groupadd --system --gid 999 engram \
 && useradd --system --uid 999 --gid engram --create-home engram \
 && apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends python3 >/dev/null \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/engram /opt/engram
COPY docker/programs/entrypoint.sh /usr/local/bin/
ENV LANG=C.UTF-8 PATH=/opt/engram/bin:/usr/local/bin:/usr/bin:/bin PYTHONUNBUFFERED=1
USER engram
EXPOSE 8765
ENTRYPOINT ["entrypoint.sh"]
CMD ["--help"]
