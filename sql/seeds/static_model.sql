do $$
begin
    perform engram.register_model(
        name           => 'static',
        provider       => 'static',
        dims           => 256,
        floor          => 0.15,
        link_at        => 0.5,
        relation_at    => 0.35,
        reinforce_at   => 0.95,
        consolidate_at => 0.85);
end
$$;
