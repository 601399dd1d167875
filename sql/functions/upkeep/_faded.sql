create or replace function engram._faded(space_id bigint) returns table (
    memory_id          bigint,
    strength           double precision,
    days               double precision,
    recalls            integer,
    rule               text,
    protected_by       bigint,
    protector_strength double precision
)
    language sql stable
    rows 10
begin atomic
    with weak as materialized (
        select w.*
          from (
              select m.memory_id, m.pinned, m.valid_from, coalesce(s.recalls, 0) as recalls,
                     extract(epoch from now() - greatest(m.reinforced_at, s.last_recalled_at))::double precision / 86400 as days,
                     engram._strength_now(m.importance, k.lambda, m.reinforced_at, s.last_recalled_at, s.recalls) as strength
                from engram.memory m
                join engram.kind k using (kind)
                left join engram.memory_stat s on s.space_id = _faded.space_id and s.memory_id = m.memory_id
               where m.space_id = _faded.space_id and m.state = 'active'
          ) w
         where w.strength < (select engram._setting_number('prune.below'))
    ),
    -- Recalls that are not folded yet.
    recalled as (
        select r.memory_id from engram._unfolded_recalls(_faded.space_id) r where exists (select from weak)
    )
    select w.memory_id, w.strength, w.days, w.recalls,
           case when w.pinned then 'pinned'
                when w.valid_from > now() then 'not_yet'
                when r.memory_id is not null then 'recalled'
                when exists (select from engram.decision d
                              where d.space_id = _faded.space_id and d.memory_id = w.memory_id
                                and d.action = 'prune' and d.undone_at is not null) then 'restored'
                when p.memory_id is not null then 'neighbor'
                else 'faded' end,
           p.memory_id, p.strength
      from weak w
      left join recalled r using (memory_id)
      left join lateral (
          select n.memory_id, n.strength
            from (select e.dst as id from engram.edge e where e.space_id = _faded.space_id and e.src = w.memory_id
                  union
                  select e.src from engram.edge e where e.space_id = _faded.space_id and e.dst = w.memory_id) e
           cross join lateral (
               select m.memory_id, m.pinned, engram._strength_now(m.importance, k.lambda, m.reinforced_at, s.last_recalled_at, s.recalls) as strength
                 from engram.memory m
                 join engram.kind k using (kind)
                 left join engram.memory_stat s on s.space_id = _faded.space_id and s.memory_id = m.memory_id
                where m.space_id = _faded.space_id and m.memory_id = e.id and m.state = 'active'
                  and (m.expires_at is null or m.expires_at > now() or m.pinned)
           ) n
           where n.pinned or n.strength >= (select engram._setting_number('prune.strong'))
           order by n.strength desc, n.memory_id
           limit 1
      ) p on true;
end;

comment on function engram._faded is
'The active memories of a space below the setting prune.below, each with the rule that lets it go (faded) or keeps it: pinned; not_yet true; recalled since the last fold; restored, since
somebody undid a prune of it; neighbor, an active memory that it has an edge with, either way, and that is pinned or has at least the setting prune.strong.';
