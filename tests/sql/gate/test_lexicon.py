def verdict(db, existing, incoming):
    row = db.execute("select verdict from engram.compare(%s, %s, 0.8)", [existing, incoming]).fetchone()
    return row.verdict


def teach(db, lang, **terms):
    for role, words in terms.items():
        for word in words:
            db.execute(
                "insert into engram.polarity_term (lang, term, role) values (%s, %s, %s)", [lang, word, role]
            )


def test_inserting_rows_teaches_a_language(db):
    existing, incoming = "Ik drink koffie.", "Ik drink geen koffie meer."
    assert verdict(db, existing, incoming) in ("complement", "distinct")

    teach(db, "nl", stop=["ik", "meer"], negation=["geen", "niet"])

    assert verdict(db, existing, incoming) == "contradiction"
    assert verdict(db, "Ik drink geen koffie.", incoming) == "duplicate"


def test_a_row_switched_off_no_longer_counts(db):
    assert verdict(db, "Caching is on.", "Caching is not on.") == "contradiction"
    db.execute("update engram.polarity_term set enabled = false where lang = 'en' and term = 'not'")
    assert verdict(db, "Caching is on.", "Caching is not on.") != "contradiction"


def test_a_synonym_row_makes_two_words_one(db):
    assert verdict(db, "The gizmo hums.", "The widget hums.") == "distinct"
    for term in ("gizmo", "widget"):
        db.execute(
            "insert into engram.polarity_term values ('en', %s, 'synonym', 'gizmo')",
            [term],
        )
    assert verdict(db, "The gizmo hums.", "The widget hums.") == "duplicate"


def test_accents_and_case_of_a_row_do_not_matter(db):
    assert verdict(db, "Vivo en Lima.", "TAMBIEN vivo en Cusco.") == "complement"


def test_a_rule_row_can_disarm_a_rule(db):
    texts = "Logging is enabled.", "Logging is disabled."
    assert verdict(db, *texts) == "contradiction"
    db.execute("update engram.gate_rule set verdict = 'distinct' where rule = 'polarity_flipped'")
    assert verdict(db, *texts) == "distinct"


def test_six_languages_ship_with_every_role_that_decides(db):
    missing = db.execute(
        """select l.lang, r.role
             from unnest(array['en', 'zh', 'ja', 'es', 'de', 'fr']) l (lang),
                  unnest(array['negation', 'change', 'hypothetical', 'past', 'additive', 'opinion', 'antonym',
                               'single', 'list', 'person', 'owner']) r (role)
            where not exists (select from engram.polarity_term t where t.lang = l.lang and t.role = r.role)"""
    ).fetchall()
    assert missing == []
