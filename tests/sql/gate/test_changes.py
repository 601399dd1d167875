"""What a change takes the place of, and what it leaves alone."""

from __future__ import annotations

import pytest
from helpers import value

REPLACED = [
    ("The checkout page uses Stripe.", "The checkout page now uses Adyen."),
    ("My car insurance is with Axa.", "I've moved my car insurance to Allianz."),
    ("Our office is on Mill Street.", "Our office relocated to Harbour Road."),
    ("Ben is the goalkeeper of our team.", "The goalkeeper of our team is now Aidan."),
    ("The wedding is planned for May.", "They postponed the wedding to August."),
    ("The default locale is en_US.", "The default locale is en_GB."),
    ("Python 3.9 is the minimum version.", "Python 3.11 is the minimum version."),
    ("The drill belongs to Nils.", "The drill belongs to Astrid."),
    ("I can't swim.", "I learned to swim this summer."),
    ("馆内允许拍照。", "馆内禁止拍照。"),
    ("ログインには確認コードが必要です。", "ログインに確認コードは不要になりました。"),
    ("The heating is set to 19 degrees.", "I've set the heating to 21 degrees."),
    ("爸爸在住院。", "爸爸已经出院回家了。"),
    ("我的座位在窗边。", "我的座位调到门口了。"),
    ("プリンターは壊れています。", "プリンターはもう直りました。"),
    ("Mon bureau est au deuxième étage.", "Mon bureau est maintenant au cinquième étage."),
]

KEPT = [
    # A name is no state and a state no name.
    ("My doctor is Dr. Levin.", "My doctor is now on holiday."),
    ("I live in Leeds.", "I now live alone."),
    ("I work as a chef.", "I work night shifts now."),
    # Numbers of different things.
    ("The team has five members.", "The team now has two offices."),
    ("The office closes at 19:00.", "The office opens at 8:00."),
    ("The rent is 900 euros.", "My salary is 3000 euros now."),
    # Somebody or something else.
    ("The parcel for Ada hasn't arrived.", "The parcel for Ben arrived this morning."),
    ("The lift in building A is out of order.", "The lift in building B is working again."),
    ("My mother lives in Porto.", "My mother-in-law moved to Lisbon."),
    ("兄は入院しています。", "弟は退院しました。"),
    ("前台的打印机坏了。", "后台的打印机修好了。"),
    ("合同A还没签。", "合同B昨天签好了。"),
    ("午前の会議は中止です。", "午後の会議は予定通りです。"),
]

REPEATED = [
    ("Der Schlüssel liegt unter der Matte.", "Unter der Matte liegt der Schlüssel."),
    ("Le projet est dirigé par Claire.", "C'est Claire qui dirige le projet."),
    ("The report has to be in by noon.", "The report must be handed in before 12:00."),
    ("代码合并之前必须经过评审。", "没有经过评审的代码不能合并。"),
    ("我每天喝两杯水。", "我一天喝两杯水。"),
]


@pytest.mark.parametrize(
    ("pairs", "verdicts"),
    [
        (REPLACED, {"contradiction"}),
        (KEPT, {"complement", "distinct"}),
        (REPEATED, {"duplicate"}),
    ],
)
@pytest.mark.parametrize("change", [str, str.upper, str.lower])
def test_verdict_of_a_change(db, pairs, verdicts, change):
    wrong = [
        (existing, incoming, verdict)
        for existing, incoming in pairs
        if (
            verdict := value(
                db, "select verdict from engram.compare(%s, %s)", change(existing), change(incoming)
            )
        )
        not in verdicts
    ]
    assert wrong == []


def test_whoever_writes_may_run_what_the_gate_runs(db):
    kept = value(
        db,
        """select array_agg(p.proname order by 1)
             from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and p.proname ~ '^(_gate|_claims|_judge$|_relate)'
              and p.prorettype <> 'trigger'::regtype and p.proacl is not null""",
    )
    assert kept is None
