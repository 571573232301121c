"""Tests in several processes that were collected once: `pytest --forks N`.

Each process of pytest-xdist imports the program and all tests for itself, and where branches are measured that
takes a minute of processor each: as long as a tenth of the tests. Here one process does, and the others begin as
copies of it.

A process is given the tests of one file after the other, in the order in which they were collected, and asks for
the next file before it is through with one: what files share (fixtures of the session) is set up once. What it
finds is told by the first process, which runs no test itself, and fails each that no process has run.
"""

from __future__ import annotations

import inspect
import os
import sys
import traceback
import warnings
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, NoReturn

import pytest

FOLDER = "fork-"
"""What the folders of the processes for files of tests begin with, side by side in that of the run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--forks", type=int, default=0, help="Run tests in so many copies of this process.")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Instead of pytest's own loop; collecting alone, and what could not be collected, is left to that."""
    config = session.config
    if not config.option.forks or config.option.collectonly or session.testsfailed or not session.items:
        return None
    run = _Run(session)
    try:
        run.to_the_end(config.option.forks)
    finally:
        run.stop()
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True


@dataclass
class _Fork:
    """A process as the first sees it; `test`: the place of the one that it is at."""

    process: int
    test: int | None = None


@dataclass
class _Run:
    """The first process."""

    session: pytest.Session
    files: list[list[int]] = field(default_factory=list)
    """Places of the tests that nobody has begun, by their files."""
    forks: dict[Connection, _Fork] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)

    def to_the_end(self, forks: int) -> None:
        """Runs all tests."""
        by_file: dict[Path, list[int]] = {}
        for place, item in enumerate(self.session.items):
            by_file.setdefault(item.path, []).append(place)
        self.files = list(by_file.values())
        for number in range(min(forks, len(self.files))):
            self._fork(number)
        while self.forks:
            for connection in wait(list(self.forks)):
                assert isinstance(connection, Connection)
                self._hear(connection)
        stopped = self.session.shouldfail or self.session.shouldstop
        for place in () if stopped else sorted(set(range(len(self.session.items))) - self.told):
            self._failed(place, "no process ran it")

    def stop(self) -> None:
        """Ends whichever process runs still."""
        for connection, fork in self.forks.items():
            connection.close()
            os.kill(fork.process, 15)
            os.waitpid(fork.process, 0)
        self.forks.clear()

    def _fork(self, number: int) -> None:
        # Its folder is made before there is another that could.
        folder = self.session.config._tmp_path_factory.getbasetemp() / f"{FOLDER}{number}"  # type: ignore[attr-defined]
        folder.mkdir()
        ours, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if not process:
            for connection in (ours, *self.forks):
                connection.close()
            _be(self.session, theirs, folder)
        theirs.close()
        self.forks[ours] = _Fork(process)

    def _hear(self, connection: Connection) -> None:
        fork, hook = self.forks[connection], self.session.config.hook
        try:
            kind, *said = connection.recv()
        except EOFError:
            self._gone(connection)
            return
        match kind:
            case "next":
                stopped = self.session.shouldfail or self.session.shouldstop
                connection.send(self.files.pop(0) if self.files and not stopped else [])
            case "begins":
                (fork.test,) = said
                item = self.session.items[fork.test]
                hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
            case "ended":
                (place,) = said
                fork.test = None
                self.told.add(place)
                item = self.session.items[place]
                hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
            case "report":
                report = hook.pytest_report_from_serializable(config=self.session.config, data=said[0])
                hook.pytest_runtest_logreport(report=report)
            case "warning":
                message, rest = said
                hook.pytest_warning_recorded.call_historic(
                    kwargs={"warning_message": warnings.WarningMessage(*message), **rest}
                )
            case "broken":
                raise RuntimeError(f"a process of tests broke:\n{said[0]}")

    def _gone(self, connection: Connection) -> None:
        """A process has ended: after its last test, or in one."""
        fork = self.forks.pop(connection)
        connection.close()
        _, status = os.waitpid(fork.process, 0)
        code = os.waitstatus_to_exitcode(status)
        if fork.test is not None:
            self.told.add(fork.test)
            self._failed(fork.test, f"the process ended in this test (status {code})")
        elif code:
            raise RuntimeError(f"a process of tests ended after its last (status {code})")

    def _failed(self, place: int, why: str) -> None:
        item = self.session.items[place]
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call")
        self.session.config.hook.pytest_runtest_logreport(report=report)


def _be(session: pytest.Session, connection: Connection, folder: Path) -> NoReturn:
    """What a copy of the first process does: tests until none is left, and nothing of what that one does after."""
    status, end = 1, os._exit
    # What measures the first process would have each process that tests fork, or send for, measured and merged.
    os.fork, os._exit = (inspect.unwrap(one) for one in (os.fork, os._exit))
    try:
        plugins: Any = session.config.pluginmanager
        plugins.unregister(name="terminalreporter")
        session.config._tmp_path_factory._basetemp = folder  # type: ignore[attr-defined]
        # The files that output is caught in are those of the first process until it is caught anew.
        capture = plugins.getplugin("capturemanager")
        capture.stop_global_capturing()
        capture.start_global_capturing()
        capture.suspend_global_capture(in_=False)
        teller = _Teller(session.config, connection)
        # Who comes late is told the warnings of old, which the first process has told.
        plugins.register(teller)
        teller.heeds = True
        _run(session, connection)
        status = 0
    except BaseException:
        connection.send(("broken", traceback.format_exc()))
    finally:
        end(status)


def _run(session: pytest.Session, connection: Connection) -> None:
    def more() -> list[int]:
        connection.send(("next",))
        given: list[int] = connection.recv()
        return given

    places = more()
    while places:
        place, *places = places
        # Which test comes next says what is torn down after this one.
        places = places or more()
        item = session.items[place]
        connection.send(("begins", place))
        session.config.hook.pytest_runtest_protocol(
            item=item, nextitem=session.items[places[0]] if places else None
        )
        connection.send(("ended", place))


@dataclass(eq=False)
class _Teller:
    """Tells the first process what becomes of a test."""

    config: pytest.Config
    connection: Connection
    heeds: bool = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.connection.send(("report", data))

    def pytest_warning_recorded(
        self,
        warning_message: warnings.WarningMessage,
        when: str,
        nodeid: str,
        location: tuple[str, int, str] | None,
    ) -> None:
        if not self.heeds:
            return
        one = warning_message
        told = (str(one.message), one.category, one.filename, one.lineno)
        self.connection.send(("warning", told, {"when": when, "nodeid": nodeid, "location": location}))
