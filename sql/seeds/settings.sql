insert into engram.setting (name, default_value, description) values
    ('static_model.version',   'none',   'Which version of the shipped token vectors is loaded; set by the installer.'),
    ('tenancy',                'single', 'single: a session without engram.tenant belongs to tenant ''default''. required: it sees nothing. Change it with engram.require_tenant().'),
    ('content.max_bytes',      '65536',  'Longest content of a memory, in bytes of UTF-8.'),
    ('metadata.max_bytes',     '65536',  'Longest metadata of a memory, in bytes of its text.'),
    ('remember.candidates',    '8',      'How many nearest memories the write gate compares with a new one.'),
    ('remember.links',         '5',      'How many similar edges a new memory gets at most.'),
    ('recall.exact_limit',     '5000',   'Largest space, in memories, that recall scans exactly; a larger one uses the HNSW index and the most selective terms.'),
    ('recall.vector_depth',    '100',    'Candidates of the vector leg in a space above recall.exact_limit.'),
    ('recall.lexical_depth',   '200',    'Candidates of the lexical leg in a space above recall.exact_limit.'),
    ('recall.lexical_reach',   '5000',   'How many memories the lexemes that generate candidates may occur in together, in a space above recall.exact_limit.'),
    ('recall.df_sample',       '1000',   'Memories sampled to estimate how frequent a lexeme is, in a space above recall.exact_limit.'),
    ('recall.seeds',           '5',      'Best hits from which the graph leg starts.'),
    ('recall.fan_out',         '10',     'Strongest edges that the graph leg follows from one memory.'),
    ('recall.rescored',        '50',     'Best candidates that the graph leg and the neighbours of a session may lift.'),
    ('bm25.k1',                '1.2',    'BM25: how soon repeats of a term stop counting. Source: Robertson and Zaragoza, 2009.'),
    ('bm25.b',                 '0.75',   'BM25: how much a long text is discounted, 0..1.'),
    ('context.tokens_a_char',  '0.25',   'Estimate of context(): tokens of a Latin letter; a CJK character counts as one token.'),
    ('maintain.batch',         '5000',   'Rows that one step of maintain() handles at most.')
on conflict (name) do update
   set default_value = excluded.default_value,
       description   = excluded.description;
