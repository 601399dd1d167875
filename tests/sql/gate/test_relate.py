def relate(db, incoming, *candidates):
    return db.execute(
        """select * from engram._relate(engram._claims(%s), %s::bigint[],
                                        array(select engram._claims(t) from unnest(%s::text[]) t),
                                        %s::float8[])""",
        [incoming, list(range(1, len(candidates) + 1)), list(candidates), [0.8] * len(candidates)],
    ).fetchone()


def test_no_candidate_is_distinct_from_nothing(db):
    relation = relate(db, "I like tea.")
    assert (relation.verdict, relation.memory_id, relation.rule) == ("distinct", None, "nothing_near")


def test_null_arrays_are_no_candidates(db):
    row = db.execute(
        "select * from engram._relate(engram._claims('I like tea.'), null, null, null)"
    ).fetchone()
    assert (row.verdict, row.memory_id) == ("distinct", None)


def test_the_memory_that_is_repeated_is_the_target(db):
    relation = relate(
        db, "Port 9090 serves metrics.", "Port 8080 serves the site.", "metrics: served on port 9090"
    )
    assert (relation.verdict, relation.memory_id) == ("duplicate", 2)


def test_only_the_memory_that_is_retracted_is_the_target(db):
    relation = relate(
        db,
        "Dana took over the payments service from Ravi.",
        "Ines owns the search service.",
        "Ravi owns the payments service.",
        "Lena owns the mailer.",
    )
    assert (relation.verdict, relation.memory_id) == ("contradiction", 2)


def test_a_repeat_goes_before_a_retraction(db):
    relation = relate(db, "The limit is 60 seconds.", "The limit is 30 seconds.", "The limit is 60 s.")
    assert (relation.verdict, relation.memory_id) == ("duplicate", 2)


def test_a_distinct_text_is_about_no_memory(db):
    relation = relate(db, "Room 12 has a projector.", "Carla lives in Quito.")
    assert (relation.verdict, relation.memory_id) == ("distinct", None)
