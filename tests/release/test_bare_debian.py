"""A bare Debian without any network is given the package, and goes by docs/operators/install.md, from `dpkg -i` to `purge`.

The root is made of Debian's own packages by mmdebstrap; what is typed stands on the page, in its order. systemd does not
run in it: what `systemctl` would do is said by name and done by hand (the node is run as its user, as the unit says).
"""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import CAMPAIGN

from controller.about import VERSION
from support.places import ROOT
from support.release.package import builder, built

PAGE = (ROOT / "docs/operators/install.md").read_text().partition("## From the source")[0]
COMMANDS = [
    line
    for block in re.findall(r"^```\n(.*?)```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.strip().splitlines()
]
NEXT = "9.9.9"
MOUNTED = (
    "mount -t proc proc /proc; mount -t devpts -o newinstance,ptmxmode=666 devpts /dev/pts; ln -sf pts/ptmx /dev/ptmx"
)
PINS = "246810\n135791\n"
PEERS = [tool for tool in ("mmdebstrap", "unshare", "dpkg-deb") if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.process,
    pytest.mark.campaign,
    pytest.mark.skipif(not CAMPAIGN, reason="its short form is release/test_package.py"),
    pytest.mark.skipif(bool(PEERS) or not builder(), reason=f"absent: {', '.join(PEERS) or 'python3.11'}"),
]


class Box:
    """A root of its own, whose only network is its loopback."""

    def __init__(self, root):
        self.root = root
        (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")

    def types(self, line, *, typed="", expects=0):
        """What a person gets who types it there."""
        inside = f"{MOUNTED}; export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8; cd /tmp; {line}"
        alone = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "chroot"]
        done = subprocess.run(
            [*alone, self.root, "sh", "-c", inside],
            input=typed,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == expects, (line, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def gets(self, package):
        shutil.copy(package, self.root / "tmp" / f"pozo_{VERSION}_amd64.deb")


@pytest.fixture(scope="module")
def debian(tmp_path_factory):
    root = tmp_path_factory.mktemp("debian") / "root"
    packages = ["mmdebstrap", "--variant=minbase", "--include=python3.11,systemd,sudo", "bookworm", root]
    made = subprocess.run(packages, capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"Debian's packages cannot be had here: {made.stderr.splitlines()[-1]}")
    return root


@pytest.fixture
def box(debian, tmp_path):
    subprocess.run(["cp", "-a", debian, tmp_path / "root"], check=True)
    return Box(tmp_path / "root")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    place = tmp_path_factory.mktemp("package")
    return built(a_clone(place / "this"), place / "deb")


def a_clone(place, version=VERSION):
    """Another clone of this commit, in another folder; `version`: of a next release."""
    subprocess.run(["git", "clone", "-q", ROOT, place], check=True)
    about = place / "controller/about.py"
    about.write_text(about.read_text().replace(f'VERSION = "{VERSION}"', f'VERSION = "{version}"'))
    return place


def test_two_builds_of_one_commit_are_one_file(tmp_path, package):
    other = built(a_clone(tmp_path / "a/longer/name"), tmp_path / "second")

    assert package.read_bytes() == other.read_bytes()


def test_the_page_is_followed_from_the_package_to_the_purge(tmp_path, box, package, capsys):
    steps = iter(COMMANDS)
    box.gets(package)
    said = box.types(next(steps))
    assert "Setting up pozo" in said
    assert "bien: 3 mesas" in box.types(next(steps))
    assert "fundado" in box.types(next(steps), typed=PINS)
    assert next(steps).startswith("systemctl enable --now pozo-node@central")
    plays = (
        "install -d -o pozo-central -g pozo -m 750 /run/pozo/central;"
        " sudo -u pozo-central timeout -s TERM 4 pozo node /etc/pozo/central.toml; test $? = 124"
    )
    assert '"event": "ready"' in box.types(plays), "the service's user can open what root founded"

    assert next(steps).startswith("systemctl stop")
    box.types(next(steps))
    box.gets(built(a_clone(tmp_path / "next", NEXT), tmp_path / "newer"))
    box.types(next(steps))
    assert NEXT in box.types("pozo --version")
    assert box.types(next(steps)).startswith("BIEN")
    assert next(steps).startswith("systemctl start")
    assert '"event": "ready"' in box.types(plays)
    assert next(steps, None) is None, "every command of the page was typed"

    size = sum(path.lstat().st_size for path in (box.root / "opt/pozo").rglob("*")) / 1e6
    box.types("dpkg --remove pozo")
    assert not list((box.root / "etc/systemd/system").glob("pozo*"))
    assert (box.root / "var/lib/pozo/central/node.db").exists()
    box.types("dpkg --purge pozo < /dev/null")
    assert (box.root / "var/lib/pozo/central/node.db").exists(), "nobody typed its name"
    with capsys.disabled():
        print(f"\ninstalled {size:.0f} MB", file=sys.stderr)


def test_a_record_goes_with_its_name_typed_at_a_terminal(box, package):
    box.gets(package)
    box.types(COMMANDS[0])
    box.types(COMMANDS[2], typed=PINS)
    box.types("dpkg --remove pozo")

    box.types("script -qec 'dpkg --purge pozo' /dev/null", typed="centra\n")
    assert (box.root / "var/lib/pozo/central/node.db").exists()
    box.types(COMMANDS[0])
    box.types("dpkg --remove pozo")
    box.types("script -qec 'dpkg --purge pozo' /dev/null", typed="central\n")

    assert not (box.root / "var/lib/pozo").exists()
    assert not (box.root / "etc/pozo").exists()
