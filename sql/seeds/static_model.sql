do $$
begin
    perform engram.register_model(
        name           => 'static',
        provider       => 'static',
        dims           => 256,
        floor          => 0.1,
        link_at        => 0.45,
        relation_at    => 0.45,
        reinforce_at   => 0.95,
        consolidate_at => 0.8);
end
$$;
