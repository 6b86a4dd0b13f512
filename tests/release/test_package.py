"""The Debian package: one file however often it is built, whole without a network, and its words those of the program.

It is built once here and looked into; a bare Debian in which it is installed, played on and purged, and a second build
from another clone, are test_bare_debian.py's.
"""

import os
import shutil
import subprocess

import pytest

from controller.about import VERSION
from support.places import ROOT
from support.release.package import builder, contents, laid_out

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not builder(), reason="python3.11 and dpkg-deb are not both here"),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return laid_out(tmp_path_factory.mktemp("package"))


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, **more)


def test_everything_is_roots_and_nobody_else_may_write_it(package):
    files = [one for one in contents(package.file) if not one.mode.startswith("l")]

    assert {one.owner for one in files} == {"root/root"}
    assert {one.mode for one in files} == {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"}


def test_nothing_in_it_says_where_it_was_built(package):
    inside = [path for path in package.tree.rglob("*") if path.is_file() and not path.is_symlink()]

    assert [path for path in inside if str(ROOT).encode() in path.read_bytes()] == []


@pytest.mark.parametrize("asked", [["--version"], ["device", "test", "--help"], ["node", "--check", "{config}"]])
def test_it_runs_with_no_network_and_nothing_but_debians_python(package, asked):
    words = [word.format(config=ROOT / "config/nodes/central.toml") for word in asked]

    done = run("unshare", "--net", "--map-root-user", *package.pozo, *words, env={"PATH": os.environ["PATH"]})

    assert done.returncode == 0, done.stderr
    assert VERSION in done.stdout or "Usage" in done.stdout or "bien" in done.stdout


def test_what_is_imported_was_compiled_and_follows_its_source(package):
    """A service may write nothing there, so it would be compiled at each start; and an edited file must be run as it is."""
    site = package.tree / "opt/pozo/lib/python3.11/site-packages"
    sources = {path for path in site.rglob("*.py") if "tests" not in path.parts}
    compiled = {path.parent.parent / f"{path.name.partition('.')[0]}.py" for path in site.rglob("*.pyc")}
    assert sources <= compiled

    about = site / "controller/about.py"
    before = about.read_text()
    about.write_text(before.replace(f'"{VERSION}"', '"9.9.9"'))
    try:
        assert "9.9.9" in run(*package.pozo, "--version").stdout
    finally:
        about.write_text(before)


def test_the_manual_page_has_every_command(package):
    text = (package.tree / "usr/share/man/man1/pozo.1").read_text()

    for command in ("pozo node", "pozo ctl", "pozo restore", "pozo verify", "pozo device test"):
        assert f".SS {command} " in text, command


@pytest.mark.skipif(shutil.which("man") is None, reason="absent: man")
def test_the_formatter_understands_the_whole_manual_page(package):
    page = str(package.tree / "usr/share/man/man1/pozo.1")

    shown = run("man", "--warnings", "-l", page, env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})

    assert (shown.returncode, shown.stderr) == (0, "")
    assert "pozo device test" in shown.stdout


@pytest.mark.parametrize("script", ["preinst", "postinst", "prerm", "postrm"])
def test_the_maintainers_scripts_are_shell(package, script):
    assert run("sh", "-n", str(package.control / script)).returncode == 0


def test_a_shell_completes_its_commands(package):
    completion = package.tree / "usr/share/bash-completion/completions/pozo"
    typed = f'source {completion}; COMP_WORDS=(pozo ver); COMP_CWORD=1; _pozo_completion pozo; echo "${{COMPREPLY[@]}}"'
    path = f"{package.bin}:{os.environ['PATH']}"

    done = run("bash", "-c", typed, env={"PATH": path})

    assert done.stdout.split() == ["verify"], done.stderr


def test_the_record_of_a_casino_stays_unless_its_name_is_typed(tmp_path, package):
    """postrm asks on a terminal; without one nothing goes. Its folder is this test's, by one substitution."""
    record = tmp_path / "var/central/node.db"
    record.parent.mkdir(parents=True)
    record.write_text("every bet")
    script = (package.control / "postrm").read_text().replace("/var/lib/pozo/", f"{tmp_path}/var/")
    assert str(tmp_path) in script

    done = run("sh", "-c", script, "postrm", "purge", stdin=subprocess.DEVNULL)

    assert done.returncode == 0, done.stderr
    assert record.exists()
    assert "kept" in done.stderr


def test_it_is_the_lock_and_nothing_else(package):
    site = package.tree / "opt/pozo/lib/python3.11/site-packages"
    there = {one.name.partition("-")[0].lower() for one in site.glob("*.dist-info")}
    lock = (ROOT / "config/lock/runtime.txt").read_text().splitlines()
    named = {line.partition("==")[0].replace("-", "_") for line in lock if "==" in line and "win32" not in line}

    assert there == named | {"pozo"}
