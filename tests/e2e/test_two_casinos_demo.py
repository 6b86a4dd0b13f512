"""`make run CASINOS=2`, with what README.md says to type: a cable is cut, a percentage waits, it is mended, it is decided (R-28)."""

import re
import signal
import subprocess
import time

import pytest

from support.node.node_process import POZO

pytestmark = pytest.mark.process
PATIENCE = 150  # seconds: three nodes and two casinos on whatever machine


def test_the_cable_of_the_two_casinos_is_cut_and_mended_as_the_readme_says(tmp_path):
    folder = tmp_path / "d"
    with (tmp_path / "said").open("w") as said:
        demo = [POZO, "demo", "--casinos", "2", "--folder", folder, "--no-view", "--speed", "20", "--seed", "7"]
        process = subprocess.Popen(demo, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            until(process, lambda: "pase 1:" in (tmp_path / "said").read_text(), "both casinos play")
            cut_and_mended(process, folder, tmp_path / "said")
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(90)
    assert code == 0, (tmp_path / "said").read_text()
    records = [folder / name for name in ("norte", "puerto", "valle")]
    done = subprocess.run([POZO, "verify", *records], capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0 and "MAL" not in done.stdout, done.stdout + done.stderr


def cut_and_mended(process, folder, said):
    assert say(folder, "nadie gana").startswith("no: ")
    assert say(folder, "cable corta") == "cortado: puerto y valle ya no oyen a norte\n"
    assert not say(folder, "valle gana DP-01 escalera_color").startswith("no: ")
    until(process, lambda: re.search(r"por decidir · espera a norte", state(folder)), "the percentage waits")
    assert re.search(r"vecino norte .*: SIN ENLACE desde", state(folder, "vecinos"))
    assert re.search(r"porcentajes: esperan, .*esperan su monto: DP-01/", state(folder, "vecinos"))
    until(process, lambda: "Escalera de Color, por decidir, espera al due" in said.read_text(), "it is told")

    assert not say(folder, "cable une").startswith("no: ")
    until(process, lambda: re.search(r"valle: Decidido: DP-01 .*Escalera de Color, \$", said.read_text()), "decided")
    until(process, lambda: "pozo pozo-norte, de norte: al día" in state(folder, "vecinos"), "the link stands")


def say(folder, words):
    said = [POZO, "demo", "--folder", folder, "--say", words]
    return subprocess.run(said, capture_output=True, text=True, timeout=PATIENCE, check=False).stdout


def state(folder, order="estado"):
    said = [POZO, "ctl", "--node", folder / "valle" / "control", order]
    return subprocess.run(said, capture_output=True, text=True, timeout=PATIENCE, check=False).stdout


def until(process, holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert process.poll() is None and time.monotonic() < end, what
        time.sleep(0.3)
