"""Which steps of a hand-off a feature that is done settles: those that make what it names, and no others."""

from __future__ import annotations

import pytest
from helpers import Db, call, configure, value

SETTLED = [
    ("implement rate limiting", "rate limiting"),
    ("Implement the rate limiting.", "Rate limiting"),
    ("implement rate-limiting", "rate limiting"),
    ("add dark mode", "dark mode"),
    ("Add a dark mode", "dark-mode"),
    ("write tests for the lexer", "tests for the lexer"),
    ("write tests for the lexer", "lexer tests"),
    ("write the lexer tests", "tests of the lexer"),
    ("fix the login bug", "login bug"),
    ("fix the bug in login", "login bug"),
    ("resolve the crash on startup", "crash on startup"),
    ("finish the migration script", "migration script"),
    ("finish writing the migration script", "migration script"),
    ("build the importer", "importer"),
    ("set up the staging cluster", "staging cluster"),
    ("add rate limiting for uploads", "rate limiting for uploads"),
    ("添加深色模式", "深色模式"),
    ("实现限流", "限流"),
    ("编写词法分析器的测试", "词法分析器测试"),
    ("完成了迁移脚本", "迁移脚本"),
    ("修复登录错误", "登录错误"),
    ("修复登录的 bug", "登录 bug"),
    ("レート制限を実装する", "レート制限"),
    ("ダークモードを追加", "ダークモード"),
    ("字句解析器のテストを書く", "字句解析器のテスト"),
    ("移行スクリプトを仕上げる", "移行スクリプト"),
    ("ログインのバグを直す", "ログインのバグ"),
    ("レート制限の実装", "レート制限"),
    ("implementar el límite de peticiones", "límite de peticiones"),
    ("añadir el modo oscuro", "modo oscuro"),
    ("escribir las pruebas del analizador", "pruebas del analizador"),
    ("terminar el script de migración", "script de migración"),
    ("corregir el error de inicio de sesión", "error de inicio de sesión"),
    ("Ratenbegrenzung einbauen", "Ratenbegrenzung"),
    ("den Dunkelmodus hinzufügen", "Dunkelmodus"),
    ("Tests für den Lexer schreiben", "Tests für den Lexer"),
    ("das Migrationsskript fertigstellen", "Migrationsskript"),
    ("den Anmeldefehler beheben", "Anmeldefehler"),
    ("implémenter la limitation de débit", "limitation de débit"),
    ("ajouter le mode sombre", "mode sombre"),
    ("écrire les tests de l'analyseur", "tests de l’analyseur"),
    ("terminer le script de migration", "script de migration"),
    ("corriger l'erreur de connexion", "erreur de connexion"),
]

OPEN = [
    ("remove rate limiting", "rate limiting"),
    ("document rate limiting", "rate limiting"),
    ("rate limiting for uploads", "rate limiting"),
    ("implement rate limiting for uploads", "rate limiting"),
    ("implement rate limiting", "rate limiting for uploads"),
    ("implement rate limiting", "rate limiting docs"),
    ("review the login form", "login form"),
    ("deploy the importer", "importer"),
    ("revert dark mode", "dark mode"),
    ("test dark mode", "dark mode"),
    ("rewrite the lexer", "lexer"),
    ("refactor the lexer", "lexer"),
    ("move the lexer", "lexer"),
    ("rename the lexer", "lexer"),
    ("disable dark mode", "dark mode"),
    ("plan dark mode", "dark mode"),
    ("announce dark mode", "dark mode"),
    ("don't add dark mode", "dark mode"),
    ("decide whether to add dark mode", "dark mode"),
    ("finish removing rate limiting", "rate limiting"),
    ("add tests for dark mode", "dark mode"),
    ("add dark mode and high contrast", "dark mode"),
    ("add dark mode", "light mode"),
    ("write about rate limiting", "rate limiting"),
    ("write tests for the lexer", "lexer"),
    ("write tests for the lexer", "tests for the parser"),
    ("fix the login form", "login form"),
    ("fix the error handling", "error handling"),
    ("fix the login bug", "login"),
    ("fix the login bug", "bug"),
    ("build cache", "cache"),
    ("add-on docs", "docs"),
    ("add to cart button", "cart button"),
    ("complete list", "list"),
    ("add Django 5.2 support", "Django 5.1 support"),
    ("document the rate limiting of the login endpoint", "rate limiting of the login endpoint"),
    ("remove the rate limiting of the public login endpoint", "rate limiting of the public login endpoint"),
    ("移除深色模式", "深色模式"),
    ("增加超时时间", "超时时间"),
    ("测试深色模式", "深色模式"),
    ("部署限流", "限流"),
    ("实现细节", "细节"),
    ("实现限流文档", "限流"),
    ("创建时间", "时间"),
    ("修复错误处理", "错误处理"),
    ("移除登录接口的限流中间件", "登录接口的限流中间件"),
    ("ダークモードを削除する", "ダークモード"),
    ("レート制限を文書化する", "レート制限"),
    ("レート制限のテストを書く", "レート制限"),
    ("レート制限を実装しない", "レート制限"),
    ("ログイン画面のレート制限を削除する", "ログイン画面のレート制限"),
    ("quitar el modo oscuro", "modo oscuro"),
    ("documentar el límite de peticiones", "límite de peticiones"),
    ("acabar con el modo oscuro", "modo oscuro"),
    ("eliminar el límite de peticiones de la página", "límite de peticiones de la página"),
    ("Ratenbegrenzung entfernen", "Ratenbegrenzung"),
    ("Dunkelmodus dokumentieren", "Dunkelmodus"),
    ("Doku ergänzen", "Doku"),
    ("Server neu bauen", "Server"),
    ("Dunkelmodus nicht einbauen", "Dunkelmodus"),
    ("Fehlerbehandlung korrigieren", "Fehlerbehandlung"),
    ("die neue Ratenbegrenzung am Anmeldeformular entfernen", "neue Ratenbegrenzung am Anmeldeformular"),
    ("supprimer le mode sombre", "mode sombre"),
    ("tester la limitation de débit", "limitation de débit"),
    ("corriger le formulaire de connexion", "formulaire de connexion"),
    ("supprimer le mode sombre de la page de connexion", "mode sombre de la page de connexion"),
]  # fmt: skip


def state(db: Db, user: str, step: str, feature: str) -> str:
    call(db, "session_handoff", summary="half way", next_steps=[step], user_id=user)
    call(db, "track_progress", feature=feature, status="done", user_id=user)
    [found] = call(db, "last_handoff", user_id=user)[0].last_handoff["steps"]
    return str(found["state"])


@pytest.mark.parametrize(("step", "feature"), SETTLED)
def test_a_step_is_done_once_what_it_makes_is_done(db: Db, user: str, step: str, feature: str) -> None:
    assert state(db, user, step, feature) == "done"


@pytest.mark.parametrize(("step", "feature"), OPEN)
def test_a_step_of_another_act_or_about_more_or_less_stays_open(
    db: Db, user: str, step: str, feature: str
) -> None:
    assert state(db, user, step, feature) == "open"


def test_a_later_handoff_settles_it_too(db: Db, user: str) -> None:
    first = call(db, "session_handoff", summary="half way", next_steps=["add dark mode"], user_id=user)[0]
    call(db, "session_handoff", summary="went on", completed=["dark mode"], user_id=user)
    judged = "select engram._judged_steps(m) from engram.memory m where memory_id = %s"
    [step] = value(db, judged, first.memory_id)
    assert (step["state"], step["rule"]) == ("done", "named")


def test_which_verbs_count_is_a_setting(db: Db, user: str) -> None:
    configure(db, "handoff.doing_en", "^sketch (.+)$")
    assert state(db, user, "sketch the dialog", "dialog") == "done"
    assert state(db, user, "add dark mode", "dark mode") == "open"
    configure(db, "handoff.doing_en", "")
    assert state(db, user, "sketch the window", "window") == "open"
