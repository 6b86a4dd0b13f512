"""`pozo install` into a folder, and what systemd itself says of the units: clean, and 1.5 or better."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.install import install_command, uninstall_command
from controller.node.service.debian import InstallRefused, install, uninstall
from support.drivers import peers
from support.places import ROOT

SYSTEMD = ROOT / "systemd"
MOST_EXPOSED = 15  # tenths; systemd's own words begin at 0.1 SAFE, 1.0 OK, 5.0 MEDIUM


@pytest.fixture
def program(tmp_path):
    """A program where a service would see it."""
    made = tmp_path / "pozo"
    made.write_text("#!/bin/sh\n")
    made.chmod(0o755)
    return made


@pytest.fixture(autouse=True)
def _not_hidden(monkeypatch):
    monkeypatch.setattr("controller.node.service.debian._HOMES", ("home",))


def listed(root):
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_everything_a_service_needs_is_put_in_place(tmp_path, program):
    root = tmp_path / "root"

    done = list(install(root, program))

    assert {one.what for one in done} == {"written"}
    assert listed(root) >= {
        "etc/systemd/system/pozo-node@.service",
        "etc/systemd/system/pozo-web@.service",
        "etc/systemd/system/pozo-web@.socket",
        "etc/systemd/system/pozo.target",
        "etc/pozo/web/central.toml",
        "etc/pozo/web/letreros.toml",
        "etc/udev/rules.d/60-pozo-serial.rules",
        "usr/lib/sysusers.d/pozo.conf",
        "usr/lib/tmpfiles.d/pozo.conf",
        "etc/pozo/central.toml",
    }
    assert f"ExecStart={program} node" in (root / "etc/systemd/system/pozo-node@.service").read_text()
    assert f"ExecStart={program} web" in (root / "etc/systemd/system/pozo-web@.service").read_text()


def test_installing_again_changes_nothing_and_never_touches_the_settings(tmp_path, program):
    root = tmp_path / "root"
    list(install(root, program))
    settings = root / "etc/pozo/central.toml"
    settings.write_text("name = 'mine'\n")

    assert {one.what for one in install(root, program)} == {"kept"}
    assert settings.read_text() == "name = 'mine'\n"


def test_a_unit_that_somebody_changed_is_told_and_put_right(tmp_path, program):
    root = tmp_path / "root"
    list(install(root, program))
    unit = root / "etc/systemd/system/pozo.target"
    unit.write_text("[Unit]\n")

    assert [Path(one.place).name for one in install(root, program) if one.what == "replaced"] == ["pozo.target"]
    assert unit.read_text() == (SYSTEMD / "pozo.target").read_text()


def test_uninstalling_leaves_the_ledger_and_the_settings_alone(tmp_path, program):
    root = tmp_path / "root"
    list(install(root, program))
    ledger = root / "var/lib/pozo/central/record.db"
    ledger.parent.mkdir(parents=True)
    ledger.write_text("all of it")
    (root / "etc/systemd/system/pozo.target.wants").mkdir()

    told = {one.what for one in uninstall(root)}

    assert told == {"removed", "kept"}
    assert ledger.read_text() == "all of it"
    assert (root / "etc/pozo/central.toml").exists()
    assert not [name for name in listed(root) if "systemd" in name or "udev" in name or "usr/lib" in name]
    assert {one.what for one in uninstall(root)} == {"kept"}


def test_a_program_that_a_hardened_service_could_not_see_is_refused(tmp_path, program, monkeypatch):
    monkeypatch.setattr("controller.node.service.debian._HOMES", (program.parts[1],))

    with pytest.raises(InstallRefused, match="/opt/pozo"):
        list(install(tmp_path / "root", program))
    with pytest.raises(InstallRefused, match="no hay ahí un programa"):
        list(install(tmp_path / "root", tmp_path / "absent"))
    assert not (tmp_path / "root").exists()


# What a service runs is nobody's to change.


@pytest.fixture
def venv(tmp_path):
    """An environment as pip leaves it: the command, its interpreter, a library."""
    folder = tmp_path / "opt/venv"
    for name, text in (
        ("bin/pozo", f"#!{folder}/bin/python3\n"),
        ("bin/python3", "not looked into"),
        ("lib/python3.11/site-packages/controller/core.so", ""),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


def changed(place, mode=0o777):
    place.chmod(mode)
    return place


def long_shebang(venv):
    interpreter = venv / "bin/other"
    interpreter.write_text("")
    interpreter.chmod(0o777)
    (venv / "bin/pozo").write_text(f'#!/bin/sh\n\'\'\'exec\' "{interpreter}" "$0" "$@"\n')
    return interpreter


def linked_in(venv):
    """A link on the way leads over a folder that is everybody's."""
    (venv.parent / "open").mkdir()
    (venv.parent / "open").chmod(0o777)
    (venv.parent / "open/real").mkdir()
    (venv / "bin").rename(venv.parent / "open/real/bin")
    (venv / "bin").symlink_to("../open/real/bin")
    return venv.parent / "open"


def pointed_to(venv):
    """A library elsewhere, as an editable installation has it."""
    elsewhere = venv.parent / "source/controller"
    elsewhere.mkdir(parents=True)
    (venv / "lib/python3.11/site-packages/pozo.pth").write_text(f"import something\n{elsewhere.parent}\n")
    return changed(elsewhere)


def of_a_group(venv):
    place = changed(venv / "bin/pozo", 0o775)
    if os.geteuid() == 0:
        os.chown(place, -1, 12_345)
    return place


WRITABLE = {
    "the program itself": lambda venv: changed(venv / "bin/pozo"),
    "its group's": of_a_group,
    "its folder": lambda venv: changed(venv / "bin"),
    "a folder above": lambda venv: changed(venv.parent),
    "its interpreter": lambda venv: changed(venv / "bin/python3"),
    "the interpreter that a shell is told": long_shebang,
    "a library": lambda venv: changed(venv / "lib/python3.11/site-packages/controller/core.so"),
    "the folder of a library": lambda venv: changed(venv / "lib/python3.11/site-packages/controller"),
    "a library elsewhere": pointed_to,
    "where a link leads over": linked_in,
}


@pytest.mark.parametrize("write", WRITABLE.values(), ids=list(WRITABLE))
def test_a_program_that_others_can_write_is_refused(tmp_path, venv, write):
    place = write(venv)

    with pytest.raises(InstallRefused, match="otros podrían cambiar lo que el servicio ejecuta") as refused:
        list(install(tmp_path / "root", venv / "bin/pozo"))
    assert str(place) in str(refused.value) and "chmod -R go-w" in str(refused.value)
    assert not (tmp_path / "root").exists()


def test_a_program_that_only_its_owner_writes_is_taken_also_below_a_sticky_folder(tmp_path, venv):
    changed(venv.parent, 0o1777)

    assert {one.what for one in install(tmp_path / "root", venv / "bin/pozo")} == {"written"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_program_in_somebody_else_s_folder_is_refused(tmp_path, venv):
    os.chown(venv / "bin", 65_534, -1)

    with pytest.raises(InstallRefused, match=f"{venv}/bin: es del usuario 65534"):
        list(install(tmp_path / "root", venv / "bin/pozo"))


# Two nodes of one machine.


def test_each_node_has_a_user_of_its_own_and_a_folder_that_no_other_reads(tmp_path, program):
    root = tmp_path / "root"
    list(install(root, program))
    (root / "etc/pozo/norte.toml").write_text("")
    done = {Path(one.place).name for one in install(root, program) if one.what == "written"}
    unit = (root / "etc/systemd/system/pozo-node@.service").read_text()

    assert done == {"pozo-node-norte.conf"}
    for name in ("central", "norte"):
        assert f"u pozo-{name} " in (root / f"usr/lib/sysusers.d/pozo-node-{name}.conf").read_text()
    assert {"User=pozo-%i", "Group=pozo", "StateDirectory=pozo/%i", "StateDirectoryMode=0700"} <= set(unit.splitlines())
    assert "PrivateUsers=yes" not in unit, "the door could not tell one user from another"


def test_a_node_whose_name_is_no_user_s_is_refused(tmp_path, program):
    (tmp_path / "root/etc/pozo").mkdir(parents=True)
    (tmp_path / "root/etc/pozo/Mi Nodo.toml").write_text("")

    with pytest.raises(InstallRefused, match=r"Mi Nodo\.toml: cada nodo tiene su usuario"):
        list(install(tmp_path / "root", program))
    assert listed(tmp_path / "root") == {"etc/pozo/Mi Nodo.toml"}


def test_what_somebody_else_put_there_is_not_overwritten(tmp_path, program):
    root = tmp_path / "root"
    (root / "etc/systemd/system").mkdir(parents=True)
    (root / "etc/systemd/system/pozo.target").symlink_to("/dev/null")

    with pytest.raises(InstallRefused, match=r"pozo\.target"):
        list(install(root, program))
    assert not (root / "etc/udev").exists()


def test_the_commands_say_what_they_did_and_what_comes_next(tmp_path, program):
    root = str(tmp_path / "root")

    done = CliRunner().invoke(install_command, ["--root", root, "--program", str(program)])

    assert done.exit_code == 0
    assert "written" in done.output
    assert "pozo found" in done.output
    assert CliRunner().invoke(uninstall_command, ["--root", root]).exit_code == 0


def test_one_sentence_where_writing_is_not_allowed(tmp_path, program):
    (tmp_path / "root").mkdir()
    (tmp_path / "root/etc").write_text("a file")

    done = CliRunner().invoke(install_command, ["--root", str(tmp_path / "root"), "--program", str(program)])

    assert done.exit_code == 1
    assert "Traceback" not in done.output


# What systemd says.


@pytest.fixture
def installed(tmp_path, program):
    peers.program("systemd-analyze")
    list(install(tmp_path / "root", program))
    return tmp_path / "root/etc/systemd/system"


@pytest.mark.process
def test_systemd_finds_nothing_wrong_with_the_units(installed):
    names = ["pozo-node@.service", "pozo-web@.service", "pozo-web@.socket", "pozo.target"]
    for kind in ("pozo-node@.service", "pozo-web@.service", "pozo-web@.socket"):
        shutil.copy(installed / kind, installed / kind.replace("@", "@central"))

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(installed / name) for name in names)],
        capture_output=True, text=True, check=False,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{installed}:"},
    )  # fmt: skip

    ours = [line for line in done.stderr.splitlines() if "pozo" in line]
    assert (done.returncode, ours) == (0, [])


@pytest.mark.process
@pytest.mark.parametrize(("unit", "most"), [("pozo-node@.service", MOST_EXPOSED), ("pozo-web@.service", 5)])
def test_the_units_are_hardened_to_an_exposure_of_one_and_a_half_or_better(installed, unit, most):
    """That of the web is the one that people outside talk to: it has no network of its own, and its socket is given it."""
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={most}", str(installed / unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    level = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    assert level is not None
    assert float(level[1]) * 10 <= most, done.stdout
    assert done.returncode == 0


@pytest.mark.process
def test_a_unit_without_its_hardening_would_be_found(installed):
    """The two tests above can fail."""
    soft = installed / "soft.service"
    soft.write_text("[Service]\nExecStart=/bin/true\n")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(soft)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode != 0


@pytest.mark.process
def test_sysusers_and_tmpfiles_are_understood_by_debians_own_tools(tmp_path, program):
    peers.program("systemd-sysusers")
    peers.program("systemd-tmpfiles")
    root = tmp_path / "root"
    (root / "etc/pozo").mkdir(parents=True)
    (root / "etc/pozo/norte.toml").write_text("")
    list(install(root, program))
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\ndialout:x:20:\n")

    done = subprocess.run(["systemd-sysusers", f"--root={root}"], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr.count("Failed")) == (0, 0), done.stderr
    users = re.findall(r"^(pozo-\S+?):x:(\d+):", (root / "etc/passwd").read_text(), re.MULTILINE)
    assert sorted(name for name, _ in users) == ["pozo-central", "pozo-kiosk", "pozo-norte", "pozo-web"]
    assert len({uid for _, uid in users}) == len(users)
    groups = (root / "etc/group").read_text()
    assert re.search(r"^pozo:.*pozo-web", groups, re.MULTILINE) and not re.search(
        r"^dialout:.*web", groups, re.MULTILINE
    )
    assert not re.search(r"^(pozo|dialout):.*kiosk", groups, re.MULTILINE), (
        "a sign is a browser, and no client of a node"
    )
    for group in ("pozo", "dialout"):
        assert re.search(rf"^{group}:.*pozo-central,pozo-norte", groups, re.MULTILINE), groups
    assert re.search(r"^pozo-audit:[^:]*:\d+:$", groups, re.MULTILINE), "no node reads what auditors have"
    done = subprocess.run(
        ["systemd-tmpfiles", f"--root={root}", "--create", "pozo.conf", "pozo-node-norte.conf"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (root / "var/lib/pozo").is_dir()
    copies = (root / "var/lib/pozo-audit/norte").stat()
    assert copies.st_mode & 0o7777 == 0o2750 or os.geteuid() != 0


def test_the_installed_command_is_the_one_beside_this_python():
    from controller.node.service.debian import program_of_this_python

    assert program_of_this_python().parent == Path(sys.executable).parent
