"""The sheet, the report, the JSON and the picture of a plan, as the command makes them (R-3, R-22, R-26, R-33)."""

import hashlib
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

from support.places import CONFIG, ROOT
from support.pozo import pozo

POZO = str(Path(sys.executable).parent / "pozo")
PLANS = CONFIG / "plans"
FAST = ("--paths", "5", "--bets", "5000")


def run_alone(*arguments):
    """In a process of its own."""
    done = subprocess.run([POZO, *arguments], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def estelar():
    code, out, err = pozo("plan", "check", str(PLANS / "pozo-estelar.toml"), *FAST)
    assert (code, err) == (0, "")
    return out


@pytest.fixture(scope="module")
def told():
    code, out, _ = pozo("odds", str(PLANS / "pozo-estelar.toml"), "--json", *FAST)
    assert code == 0
    return json.loads(out)


def test_r26_the_sheet_shows_every_figure_of_the_plan(estelar):
    for figure in (
        "HOJA DE APROBACIÓN", "Res. Ex. N° 100/2026", "scj-2023", "20 %", "72 %", "8 %", "$ 5.000.000", "$ 400.000.000",
        "$ 1.000 a $ 5.000", "CLP", "DP-01", "CP-01", "GO-01", "TX-01", "50 veces la apuesta", "5.000 veces", "hasta 30 minutos",
    ):  # fmt: skip
        assert figure in estelar


def test_r33_the_sheet_names_every_reading_with_its_value(estelar):
    for name, value in [
        ("cap", "each_winner"), ("odd_units", "nearest_winner"), ("base_from", "reserves_then_house"),
        ("shortfall_from", "reserves_then_house"), ("void_undoes", "contributions"), ("late_from", "as_in_time"),
        ("real_after_cap", "rest"), ("draw_fold_forfeits", "false"), ("per_unit", "each_unit"),
    ]:  # fmt: skip
        assert f"{name} = {value}" in estelar


def test_r6_r21_r26_r28_the_sheet_says_who_confirms_who_sees_the_lamps_and_where_the_pot_is_registered(
    tmp_path, estelar
):
    assert "Confirman dos personas      todo premio" in estelar
    assert "Quién ve encendida la luz   en todas las mesas: no lo dice el plan; rigen los ajustes del nodo" in estelar
    assert "este plan: central\n" in estelar

    text = (PLANS / "pozo-estelar.toml").read_text().replace('casino = "central"', 'casino = "costa"', 1)
    text = text.replace("[pot] ", "[awards]\ntwo_persons_above = 250000\n[pot] ")
    text = 'registration = "Reg. 7"\nlamps = "sensor"\n' + text.replace('"GO-01"', '"GO-01"\nlamps = "croupier"')
    (tmp_path / "plan.toml").write_text(text)
    _, out, err = pozo("plan", "check", str(tmp_path / "plan.toml"), *FAST)

    assert err == ""
    assert "Confirman dos personas      sobre $ 250.000; hasta ahí, una" in out
    assert "su sensor: DP-01, CP-01, TX-01; el croupier, que lo atestigua al cerrar: GO-01" in out
    assert "este plan: costa, central; registro: Reg. 7" in out

    (tmp_path / "plan.toml").write_text(text.replace('registration = "Reg. 7"\n', ""))
    code, out, err = pozo("plan", "check", str(tmp_path / "plan.toml"), *FAST)
    assert (code, out) == (1, "")
    assert "registration" in err and "(R-26)" in err


def test_r26_r28_the_sheet_says_which_tables_other_nodes_have_and_which_house_puts_in_what(tmp_path, estelar):
    text = (PLANS / "pozo-estelar.toml").read_text()
    for name, node in (("CP-01", "sala-1"), ("TX-01", "sala-1"), ("GO-01", "caja-2@sala-1")):
        text = text.replace(f'name = "{name}"', f'name = "{name}"\nnode = "{node}"')
    (tmp_path / "plan.toml").write_text(text)
    _, out, err = pozo("plan", "check", str(tmp_path / "plan.toml"), *FAST)

    assert err == ""
    assert "   En el nodo sala-1 (R-28): CP-01, TX-01\n   En el nodo caja-2@sala-1 (R-28): GO-01\n" in out
    assert "abre pases hasta 30 min después de la última palabra; se paga lo que no es porcentaje" in out
    assert "Adelanto de un porcentaje     hasta el 50 % entre dos personas, de la casa (R-28)" in out
    assert "Primera base, si no es cero   la casa de central (mesa DP-01; R-24)" in out
    assert "En el nodo" not in estelar and "sin enlace" not in estelar
    assert "sin enlace" not in pozo("plan", "check", str(PLANS / "illimani.toml"), *FAST)[1]

    (tmp_path / "plan.toml").write_text(text + "[links]\nmax_offline_minutes = 0\nadvance_percent = 0\n")
    _, out, _ = pozo("plan", "check", str(tmp_path / "plan.toml"), *FAST)
    assert "Mesa sin enlace con el pozo   no abre pases; se paga lo que no es porcentaje" in out
    assert "Adelanto de un porcentaje     nada (R-28)" in out


PRIZES = """
[[complementary]]
name = "Premio de la Casa"
amount = {main}
drawn = "seat"
paid_in = "cash"
from = "main"
one_in = {one_in}
[[complementary]]
name = "Hora Feliz"
amount = {reserve}
drawn = "seat"
paid_in = "cash"
from = "reserva0"
within_minutes = 90
[[complementary]]
name = "Estrella"
amount = 5000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
one_in = 40
authorisation = "Aut. 9/2026"
"""


def with_prizes(folder, main=5_000, one_in=20, reserve=25_000):
    path = folder / "plan.toml"
    path.write_text(
        (PLANS / "pozo-estelar.toml").read_text() + PRIZES.format(main=main, one_in=one_in, reserve=reserve)
    )
    return str(path)


def test_r26_r29_the_sheet_shows_every_complementary_prize_of_the_plan(tmp_path, estelar):
    assert "7. Premios complementarios de este plan" in estelar and "   ninguno\n" in estelar
    _, out, _ = pozo("plan", "check", with_prizes(tmp_path), *FAST)
    lines = {
        name: next(row for row in out.splitlines() if row.startswith(f"   {name}  "))
        for name in ("Premio de la Casa", "Hora Feliz", "Estrella")
    }

    for name, words in {
        "Premio de la Casa": ("$ 5.000", "en 1 de 20 pases", "efectivo, del pozo principal (lo que falte, la casa)"),
        "Hora Feliz": ("$ 25.000", "una vez por jornada, en sus primeros 90 min", "de la reserva reserva0"),
        "Estrella": ("$ 5.000", "en 1 de 40 pases", "créditos promocionales, los da la casa"),
    }.items():
        assert all(word in lines[name] for word in words), lines[name]
    assert "Estrella: autorización Aut. 9/2026" in out
    assert re.search(r"Premios complementarios, además, por mesa +\$ 30.000", out)
    assert "ATENCIÓN" not in out
    # 4 x $ 1.000 a pass: 250 of the main pot, 25.000 / (35 x 12 x 4) of the reserve, 125 of the house.
    for words in ("devuelven 6,622024 % de lo apostado", "3,125 % de lo apostado, los da la casa",
                  "recibe 8 % de lo apostado; sus premios cuestan 0,372 %", "Premios del pozo principal           6,25 %",
                  "29,512428 %\n", "$ 699 por pase; $ 4.000 por pase a este ritmo", "crece 10,762428 % por apuesta"):  # fmt: skip
        assert words in out, words


def test_r22_r26_r29_the_auditors_drain_is_refused_and_one_that_drains_at_this_pace_is_shown_as_shrinking(tmp_path):
    """Audit, F2: a prize of ten million in every pass was approved without a word about it."""
    code, out, err = pozo("plan", "check", with_prizes(tmp_path, main=10_000_000, one_in=1), *FAST)
    assert (code, out) == (1, "")
    assert "el pozo principal se achica por sus premios complementarios" in err and err.endswith("(R-22)\n")

    code, out, _ = pozo("plan", "check", with_prizes(tmp_path, main=10_000, one_in=1, reserve=1_000_000), *FAST)
    assert code == 0
    top = out[: out.index("1. De lo apostado")]
    assert "¡ATENCIÓN! A este ritmo el pozo principal SE ACHICA: 214,2376 % de lo apostado" in top
    assert "¡ATENCIÓN! A este ritmo la reserva reserva0 SE ACHICA" in top
    assert "-214,237572 %   SE ACHICA" in out
    assert "en cada pase" in out
    assert "Pozo de retorno 100 %                con cualquier pozo" in out
    assert "Pozo sin crecimiento                 ninguno" in out


def test_r29_the_json_counts_complementary_prizes(tmp_path):
    path = with_prizes(tmp_path)
    _, out, _ = pozo("odds", path, "--json", *FAST, "--hours", "6")
    told = json.loads(out)
    prizes = told["complementary"]

    assert exact(prizes["cost"]["main"]) == Fraction(1, 16)
    assert exact(prizes["cost"]["reserva0"]) == Fraction(25_000, 35 * 6 * 4 * 4_000)
    assert exact(prizes["return"]) == Fraction(1, 16) + Fraction(25_000, 35 * 6 * 4 * 4_000)
    assert exact(told["growth"]) == exact(told["main_share"]) - exact(told["fixed_return"]) - Fraction(1, 16)
    assert exact(told["break_even_pot"]["capped"]) < 369_290_000
    assert exact(told["zero_drift_pot"]["capped"]) < 187_362_800
    assert [prize["name"] for prize in prizes["prizes"]] == ["Premio de la Casa", "Hora Feliz", "Estrella"]
    assert told["returns"][0]["capped"]["value"] == pytest.approx(float(Fraction(1385, 3822) + exact(prizes["return"])))
    assert told["solvency"]["complementary_mean"] > 0


OTHERWISE = [
    # the law, the key with its default and the other value; what the sheet says of either
    ("scj-2023", "cap", "each_winner", "category", "cada ganador, hasta su propio tope", "la jugada entera"),
    ("scj-2023", "real_after_cap", "rest", "uncut", "todo lo que queda, también", "lo que quedaría si el tope no cortara"),
    ("scj-2023", "odd_units", "nearest_winner", "one_each", "todas al ganador", "una a cada uno"),
    ("arica-2017", "per_unit", "each_unit", "bet", "por cada unidad de la apuesta", "una vez, cualquiera sea"),
    ("arica-2017", "draw_fold_forfeits", "false", "true", "conserva su derecho", "sí: pierde la apuesta"),
    ("scj-2023", "base_from", "reserves_then_house", "house", "las reservas en su orden, después", "base_from = house"),
    ("scj-2023", "shortfall_from", "reserves_then_house", "house", "las reservas en su orden", "shortfall_from = house"),
    ("scj-2023", "void_undoes", "contributions", "nothing", "los aportes salen", "los pozos conservan"),
    ("scj-2023", "late_from", "as_in_time", "house", "como si se hubiera registrado a tiempo", "la casa, todo"),
]  # fmt: skip


@pytest.mark.parametrize(("law", "key", "usual", "other", "says", "says_otherwise"), OTHERWISE)
def test_r33_the_sheet_says_what_each_value_of_a_reading_means(tmp_path, law, key, usual, other, says, says_otherwise):
    """And that a reading without effect under a law has none: no cap, no amount per unit, folding in the list of Draw."""
    text = (CONFIG / f"rulesets/{law}.toml").read_text()
    of_plan = "pozo-estelar" if law == "scj-2023" else "puerto-norte"
    plan = tmp_path / "plan.toml"
    plan.write_text((PLANS / f"{of_plan}.toml").read_text().replace(law, "mine"))
    lines = []
    for value in (usual, other):
        (tmp_path / "laws").mkdir(exist_ok=True)
        quote = "" if value in {"true", "false"} else '"'
        changed = text.replace(f"{key} = {quote}{usual}{quote}", f"{key} = {quote}{value}{quote}")
        assert f"{key} = {quote}{value}{quote}" in changed
        (tmp_path / "laws/mine.toml").write_text(changed.replace(f'"{law}"', '"mine"'))
        _, out, _ = pozo("plan", "check", str(plan), "--rulesets", str(tmp_path / "laws"), *FAST)
        lines.append(next(line for line in out.splitlines() if f"{key} = {value}" in line))
    assert says in lines[0]
    assert says_otherwise in lines[1]
    assert "sin efecto" not in "".join(lines)


@pytest.mark.parametrize(
    ("plan", "idle"),
    [("pozo-estelar", {"per_unit", "draw_fold_forfeits"}), ("puerto-norte", {"cap", "real_after_cap"})],
)
def test_r33_a_reading_without_effect_says_so(plan, idle):
    _, out, _ = pozo("plan", "check", str(PLANS / f"{plan}.toml"), *FAST)
    assert {line.split(" = ")[0].split()[-1] for line in out.splitlines() if "sin efecto" in line} == idle


def test_r8_the_sheet_says_what_a_game_takes_and_what_of_it_forfeits(estelar):
    games = {line.split()[0]: line for line in estelar.splitlines() if " posiciones; " in line}
    assert "ningún acto la pierde (se acepta: no ir)" in games["GO-01"]
    assert "pierde si no va o cambia cartas o compra una carta" in games["CP-01"]


def test_the_sheet_shows_the_exact_figures_of_part_6(estelar):
    for figure in (
        "1 en 508,80", "1 en 694,17", "1 en 4.165", "1 en 72.193,33", "1 en 649.740", "1 en 273,11", "36,237572 %",
        "$ 369.290.000   (sin tope $ 218.047.368)", "15.820.024.220", "imposible", "$ 17.500.000", "$ 5.750.000",
    ):  # fmt: skip
        assert figure in estelar


@pytest.mark.process
def test_r26_the_fingerprints_are_those_of_the_files(estelar):
    for path in (PLANS / "pozo-estelar.toml", CONFIG / "rulesets/scj-2023.toml"):
        digest = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True).stdout.split()[0]
        assert digest in estelar


def test_r26_the_fingerprint_is_of_the_file_that_was_read_whatever_its_name(tmp_path):
    text = (CONFIG / "rulesets/scj-2023.toml").read_text()
    (tmp_path / "actual.toml").write_text(text.replace('"scj-2023"', '"mine"'))
    (tmp_path / "mine.toml").write_text(text.replace('"scj-2023"', '"other"'))
    plan = tmp_path / "plan.toml.txt"
    plan.write_text((PLANS / "pozo-estelar.toml").read_text().replace('"scj-2023"', '"mine"'))

    code, out, _ = pozo("plan", "check", str(plan), "--rulesets", str(tmp_path), *FAST)

    assert code == 0
    for path, there in ((tmp_path / "actual.toml", True), (plan, True), (tmp_path / "mine.toml", False)):
        assert (hashlib.sha256(path.read_bytes()).hexdigest() in out) == there


@pytest.mark.parametrize("plan", sorted(PLANS.glob("*.toml")), ids=lambda plan: plan.stem)
@pytest.mark.process
def test_every_shipped_plan_is_approved_and_prints_the_same_every_time(plan):
    once = pozo("plan", "check", str(plan), *FAST)

    assert once[0] == 0
    assert once == run_alone("plan", "check", str(plan), *FAST), "in a process with another seed of its hashes"


def test_one_path_claims_no_certainty_it_cannot_have():
    code, out, _ = pozo("odds", str(PLANS / "illimani.toml"), "--paths", "1", "--bets", "1001", "--seats", "3")

    assert code == 0
    assert "(0 de 1; con 95 % de certeza, a lo más 100 %)" in out
    assert "1 veces 999 apuestas" in out


def test_r29_a_law_with_a_card_to_draw_shows_its_chance():
    _, out, _ = pozo("odds", str(PLANS / "puerto-norte.toml"), *FAST)

    assert "Una carta sorteada está en una mano de 5 cartas propias: 1 en 10,40." in out


def test_no_line_of_a_sheet_ends_in_blanks_or_is_wider_than_a_landscape_page(estelar):
    for line in estelar.splitlines():
        assert line == line.rstrip()
        assert len(line) <= 150


@pytest.mark.parametrize(
    ("right", "wrong", "key", "rule"),
    [
        ("main_ppm = 900000", "main_ppm = 900001", "allocation.main_ppm", "R-22"),
        ('modality = "go"\nmin_bet = 1000', 'modality = "go"\nmin_bet = 2000', "tables[2].min_bet", "R-3"),
        ("commission_ppm = 200000", "commission_ppm = 700000", "commission_ppm", "R-22"),
        ("base = 5000000", "base = 500000000", "pot.ceiling", "R-24"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_one_line(tmp_path, right, wrong, key, rule):
    text = (PLANS / "pozo-estelar.toml").read_text()
    assert right in text
    plan = tmp_path / "mine.toml"
    plan.write_text(text.replace(right, wrong, 1))

    code, out, err = pozo("plan", "check", str(plan))

    assert (code, out) == (1, "")
    assert err.startswith(f"pozo: {plan}: {key}: ")
    assert err.endswith(f"({rule})\n")
    assert err.count("\n") == 1


def test_a_plan_that_often_cannot_cover_says_how_often_and_how_sure_it_is(tmp_path):
    plan = tmp_path / "bare.toml"
    plan.write_text((PLANS / "pozo-estelar.toml").read_text().replace("base = 5000000", "base = 0"))

    code, out, _ = pozo("odds", str(plan), "--paths", "60", "--bets", "20000")

    assert code == 0
    line = next(line for line in out.splitlines() if "Algún premio fijo pasa" in line)
    found = re.search(r"(\d+)(?:,\d+)? %   \((\d+) de 60; ± \d+(?:,\d+)? %\)", line)
    assert found, line
    assert 0 < int(found[2]) < 60
    assert int(found[1]) == pytest.approx(100 * int(found[2]) / 60, abs=1)


def exact(figure):
    assert float(Fraction(figure["exact"])) == pytest.approx(figure["value"])
    return Fraction(figure["exact"])


def test_the_json_holds_exact_figures_beside_decimals(told):
    assert exact(told["odds"]["poker"]["chance"]) == Fraction(1, 4165)
    assert exact(told["odds"]["poker"]["hours_between"]) == Fraction(4165, 4 * 35 * 4)
    assert exact(told["any_prize"]) == Fraction(61, 16_660)
    assert exact(told["fixed_return"]) == Fraction(1385, 3822)
    assert exact(told["main_share"]) - exact(told["fixed_return"]) == exact(told["growth"])
    assert exact(told["break_even_pot"]["capped"]) == 369_290_000
    assert exact(told["break_even_pot"]["uncapped"]) == Fraction(4_142_900_000, 19)
    assert exact(told["zero_drift_pot"]["capped"]) == 187_362_800
    assert exact(told["modalities"]["caribbean_plus"]["expected_pairs"]["escalera_real+escalera_real"]) == Fraction(
        1, 15_820_024_220
    )
    assert exact(told["modalities"]["go"]["expected_pairs"]["escalera_real+escalera_real"]) == 0
    assert told["modalities"]["go"]["worst_pass"] == {"amount": 5_750_000, "hands": {"poker": 2, "color": 3}}
    assert told["worst_at_once"] == 15_000_000 + 17_500_000 + 5_750_000 + 5_000_000
    assert [
        round(float(exact(point["variance"])) ** 0.5, 2) for point in told["returns"] if point["pot"] == 100_000_000
    ] == [125.76]
    assert {point["pot"] for point in told["returns"]} >= {0, 50_000_000, 400_000_000}
    assert len(told["solvency"]["pot_after"]) == 120
    for mark in told["solvency"]["pot_after"]:
        assert mark["p5"] <= mark["p25"] <= mark["p50"] <= mark["p75"] <= mark["p95"]


def test_the_seed_and_the_size_of_the_simulation_are_told(told):
    assert {key: told["solvency"][key] for key in ("seed", "bets", "paths", "seats", "bet")} == {
        "seed": 1, "bets": 5000, "paths": 5, "seats": 4, "bet": 1000,
    }  # fmt: skip


@pytest.mark.parametrize("plan", ["pozo-estelar", "illimani", "puerto-norte"])
def test_the_picture_is_one_well_formed_svg_with_both_panels_inside_its_borders(tmp_path, plan):
    picture = tmp_path / "plan.svg"
    code, out, _ = pozo("odds", str(PLANS / f"{plan}.toml"), "--plot", str(picture), *FAST)

    assert code == 0
    assert "PROBABILIDADES Y SOLVENCIA" in out
    root = ET.parse(picture).getroot()  # noqa: S314  (our own file)
    _, _, width, height = map(float, root.get("viewBox").split())
    text = picture.read_text()
    for words in (
        "El pozo principal a lo largo de las apuestas",
        "Lo que devuelve una apuesta",
        "mediana",
        "100 % en ",
    ):
        assert words in text
    for points in re.findall(r"points='([^']+)'", text):
        for x, y in (map(float, point.split(",")) for point in points.split()):
            assert 0 <= x <= width
            assert 0 <= y <= height
    for x, y in re.findall(r"<text x='([^']+)' y='([^']+)'", text):
        assert 0 <= float(x) <= width
        assert 0 <= float(y) <= height


@pytest.mark.long
def test_the_picture_of_the_readme_is_what_its_command_draws(tmp_path):
    command = re.search(r"`pozo (odds .*) --plot (docs/\S+\.svg)`", (ROOT / "README.md").read_text())
    drawn = tmp_path / "again.svg"

    code, _, _ = pozo(
        *(str(ROOT / word) if word.startswith("config/") else word for word in command[1].split()), "--plot", str(drawn)
    )

    assert code == 0
    assert drawn.read_text() == (ROOT / command[2]).read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["odds", "nowhere.toml"], "nowhere.toml: archivo: no se puede leer"),
        (["odds", str(PLANS / "pozo-estelar.toml"), "--seats", "7"], "smallest linked table has 6 seats"),
        (
            ["odds", str(PLANS / "puerto-norte.toml"), "--bet", "1500"],
            "the plan takes 1000 to 5000, in credits of 1000",
        ),
        (
            ["odds", str(PLANS / "pozo-estelar.toml"), "--bets", "1000", "--seats", "6", "--bet", "0"],
            "0 is not in the range",
        ),
        (["odds", str(PLANS / "pozo-estelar.toml"), "--bets", "1000", "--seats", "6"], None),
        (["odds", str(PLANS / "pozo-estelar.toml"), "--bet", "6000"], "the plan takes 1000 to 5000"),
        (
            ["odds", str(PLANS / "pozo-estelar.toml"), "--bets", "1000", "--seats", "6", "--plot", "/nowhere/x.svg"],
            "not a place to draw",
        ),
        (["odds", str(PLANS / "pozo-estelar.toml"), "--plot", str(PLANS / "pozo-estelar.toml")], "not a place to draw"),
        (["odds", str(PLANS / "pozo-estelar.toml"), *FAST, "--plot", "/dev/full"], "No space left"),
        (["odds", str(PLANS / "pozo-estelar.toml"), "--seed", "-1"], "-1 is not in the range"),
        (["settle", "nowhere.jsonl"], "nowhere.jsonl"),
        (["pay"], "No such command"),
    ],
)
def test_a_command_called_wrongly_says_what_is_wrong(arguments, words):
    code, _, err = pozo(*arguments)

    if words is None:
        assert code == 0
    else:
        assert code in (1, 2)
        assert words in err
        assert "Traceback" not in err


def test_a_picture_that_leads_in_circles_is_one_line(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for arguments in (["odds", str(tmp_path / "loop"), "--plot", "x.svg"],
                      ["odds", str(PLANS / "illimani.toml"), *FAST, "--plot", str(tmp_path / "loop")]):  # fmt: skip
        code, _, err = pozo(*arguments)
        assert code == 1
        assert "Traceback" not in err
        assert err.count("\n") == 1


def test_every_command_explains_itself():
    for arguments in (
        ["--help"],
        ["settle", "-h"],
        ["accrue", "-h"],
        ["odds", "-h"],
        ["plan", "check", "-h"],
        ["--version"],
    ):
        code, out, _ = pozo(*arguments)
        assert code == 0
        assert len(out) > 10
