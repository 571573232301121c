"""Inside the witness's own process: the Java virtual machine, its event thread, and all that goes wrong in it."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jpype

from .install import HERE, classpath, engine_classpath

_OUR_OWN_FRAMES = ("at org.jpype.", "at jdk.proxy", "at java.desktop/", "at java.base/")
_WARN = 30000  # logback's level WARN


_OF_THE_ENGINE = ("VASSAL.", "hexforge.")
_loader: Any = None
_classes: dict[str, Any] = {}


def start(home: Path) -> None:
    """Starts the virtual machine with `home` as its folder for what is thrown away."""
    jpype.startJVM(
        jpype.getDefaultJVMPath(),
        "-Djava.awt.headless=false",
        "--add-exports=java.desktop/sun.java2d.cmm=ALL-UNNAMED",
        f"-Djava.io.tmpdir={home}",
        "-XX:-UsePerfData",
        f"-Dlogback.configurationFile={HERE / 'java' / 'logback.xml'}",
        "-Duser.language=en",
        "-Duser.country=US",
        "-Dfile.encoding=UTF-8",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        # The engine's classes are those that were fetched by their checksum: to verify each anew costs a tenth.
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:-BytecodeVerificationRemote",
        "-Xmx1500m",
        classpath=classpath(),
        convertStrings=True,
    )


def renew(home: Path) -> None:
    """An engine that has seen no module yet, with `home` as its throw-away user folder.

    The engine keeps the one module that it can open, and much besides, in static fields. Its classes are loaded
    anew: a third of what it costs to start another virtual machine.
    """
    global _loader  # noqa: PLW0603
    if _loader is not None:
        on_event_thread(_forget)
    for name, value in (("user.home", home), ("VASSAL.conf", home / "conf")):
        java("java.lang.System").setProperty(name, str(value))
    java("java.util.Locale").setDefault(java("java.util.Locale").US)
    places = [java("java.io.File")(path).toURI().toURL() for path in engine_classpath()]
    system = java("java.lang.ClassLoader").getSystemClassLoader()
    _classes.clear()
    _loader = java("java.net.URLClassLoader")(jpype.JArray(java("java.net.URL"))(places), system)
    thread = java("java.lang.Thread")
    thread.currentThread().setContextClassLoader(_loader)
    on_event_thread(lambda: thread.currentThread().setContextClassLoader(_loader))


def _forget() -> None:
    """Lets go of all that outlives the engine's classes, and of the module that they hold."""
    for window in java("java.awt.Window").getWindows():
        window.dispose()
    toolkit = java("java.awt.Toolkit").getDefaultToolkit()
    for listener in toolkit.getAWTEventListeners():
        toolkit.removeAWTEventListener(listener)
    java("java.awt.KeyboardFocusManager").setCurrentKeyboardFocusManager(None)
    java("VASSAL.tools.imageop.Op").clearCache()
    _declared_by(java("VASSAL.build.GameModule").class_, "theModule").set(None, None)


def java(name: str) -> Any:
    """The Java class of that full name; of the engine's, the one of the engine as it was last renewed."""
    if name not in _classes:
        _classes[name] = (
            jpype.JClass(name, loader=_loader) if name.startswith(_OF_THE_ENGINE) else jpype.JClass(name)
        )
    return _classes[name]


def field(target: Any, name: str) -> Any:
    """Value of a field of any visibility, looked for up the line of superclasses."""
    return _declared(target, name).get(target)


def set_field(target: Any, name: str, value: Any) -> None:
    """Sets a field of any visibility."""
    _declared(target, name).set(target, value)


def _declared(target: Any, name: str) -> Any:
    return _declared_by(target.getClass(), name)


def _declared_by(kind: Any, name: str) -> Any:
    first = kind
    while kind is not None:
        for found in kind.getDeclaredFields():
            if str(found.getName()) == name:
                found.setAccessible(True)
                return found
        kind = kind.getSuperclass()
    raise AttributeError(f"{first.getName()} has no field {name}")


def call(target: Any, name: str) -> Any:
    """Calls a method of any visibility that takes no arguments."""
    kind = target.getClass()
    while kind is not None:
        for found in kind.getDeclaredMethods():
            if str(found.getName()) == name and not found.getParameterCount():
                found.setAccessible(True)
                return found.invoke(target)
        kind = kind.getSuperclass()
    raise AttributeError(f"{target.getClass().getName()} has no method {name}()")


def on_event_thread(work: Callable[[], Any]) -> Any:
    """Runs `work` where Swing wants it, waits for it and for all it has put off, and gives back its value."""
    value: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            value.append(work())
        except BaseException as error:
            failure.append(error)

    utilities = java("javax.swing.SwingUtilities")
    utilities.invokeAndWait(jpype.JProxy("java.lang.Runnable", dict={"run": run}))
    for _ in range(2):  # what `work` put off may put off more
        utilities.invokeAndWait(jpype.JProxy("java.lang.Runnable", dict={"run": lambda: None}))
    if failure:
        raise failure[0]
    return value[0]


def describe(error: BaseException) -> str:
    """An exception, of Python or of Java, with its stack."""
    if isinstance(error, jpype.JException):
        lines = str(error.stacktrace()).strip().splitlines()
        return "\n".join(line for line in lines if not line.strip().startswith(_OUR_OWN_FRAMES))
    return "".join(traceback.format_exception(error)).strip()


class Problems:
    """Gathers what the engine tells its users or its log when something is wrong with what it was given."""

    def __init__(self) -> None:
        self._found: list[dict[str, str]] = []
        self._appender: Any = None
        self._told: Any = None
        self.answers: list[str] = []
        """What is written into the next questions that the engine asks; a question without one is a problem."""
        self.shown: list[Any] = []
        """Windows that a test opens to look at them."""

    def add(self, kind: str, text: str) -> None:
        """Notes a problem; `kind` is one of bug, dialog, log, and those of the commands."""
        self._found.append({"kind": kind, "text": text})

    def watch(self) -> None:
        """Starts listening to the log, to reported bugs and to windows that open."""
        root = java("org.slf4j.LoggerFactory").getLogger("ROOT")
        root.detachAndStopAllAppenders()
        self._appender = java("ch.qos.logback.core.read.ListAppender")()
        self._appender.start()
        root.addAppender(self._appender)
        self._told = _declared_by(java("VASSAL.tools.ErrorDialog").class_, "reportedDataWarnings")
        handler = jpype.JProxy(
            java("VASSAL.tools.bug.BugHandler"), dict={"accept": lambda thrown: True, "handle": self._bug}
        )
        java("VASSAL.tools.ErrorDialog").addBugHandler(handler)
        java("java.lang.Thread").setDefaultUncaughtExceptionHandler(
            jpype.JProxy(
                "java.lang.Thread$UncaughtExceptionHandler",
                dict={"uncaughtException": lambda thread, thrown: self._bug(thrown)},
            )
        )
        toolkit = java("java.awt.Toolkit").getDefaultToolkit()
        listener = jpype.JProxy("java.awt.event.AWTEventListener", dict={"eventDispatched": self._window})
        toolkit.addAWTEventListener(listener, java("java.awt.AWTEvent").WINDOW_EVENT_MASK)

    def take(self) -> list[dict[str, str]]:
        """All problems since the last call."""
        if self._appender is not None:
            for event in list(self._appender.list):
                if event.getLevel().toInt() >= _WARN:
                    text = f"{event.getLoggerName()}: {event.getFormattedMessage()}"
                    cause = event.getThrowableProxy()
                    if cause is not None:
                        text += f" [{cause.getClassName()}: {cause.getMessage()}]"
                    self.add("log", text)
            self._appender.list.clear()
            # The engine reports each fault once in its life; here each request shall hear of it.
            self._told.get(None).clear()
        found, self._found = self._found, []
        return found

    def _bug(self, thrown: Any) -> None:
        self.add("bug", str(java("org.apache.commons.lang3.exception.ExceptionUtils").getStackTrace(thrown)))

    def _window(self, event: Any) -> None:
        window = event.getWindow() if hasattr(event, "getWindow") else None
        if event.getID() != java("java.awt.event.WindowEvent").WINDOW_OPENED or window in self.shown:
            return
        if isinstance(window, java("java.awt.Dialog")) and self.answers and _answered(window, self.answers[0]):
            self.answers.pop(0)
        elif isinstance(window, java("java.awt.Dialog")):
            words = [str(window.getTitle() or ""), *_texts(window)]
            self.add("dialog", " | ".join(word for word in words if word))
            window.dispose()


def _answered(dialog: Any, text: str) -> bool:
    """Gives a dialog that asks for a text that text, and has it accepted."""
    pane = next((p for p in _parts(dialog) if isinstance(p, java("javax.swing.JOptionPane"))), None)
    if pane is None or not pane.getWantsInput():
        return False
    pane.setInputValue(text)
    pane.setValue(java("java.lang.Integer").valueOf(0))
    return True


def _parts(component: Any) -> Iterator[Any]:
    yield component
    if isinstance(component, java("java.awt.Container")):
        for child in component.getComponents():
            yield from _parts(child)


def _texts(component: Any) -> list[str]:
    words: list[str] = []
    if hasattr(component, "getText"):
        words.append(str(component.getText() or "").strip())
    if isinstance(component, java("java.awt.Container")):
        for child in component.getComponents():
            words += _texts(child)
    return [word for word in words if word]


def used() -> dict[str, float]:
    """What the process has cost: seconds of processor, MB that its threads have taken from Java's heap, of which
    other work on the machine changes nothing, and MB that live there once it is swept."""
    processor = time.process_time()
    threads = java("java.lang.management.ManagementFactory").getThreadMXBean()
    taken = sum(max(0, int(n)) for n in threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
    for _ in range(3):  # what is let go with the first sweep may let go of more
        java("java.lang.System").gc()
    heap = java("java.lang.management.ManagementFactory").getMemoryMXBean().getHeapMemoryUsage().getUsed()
    return {"processor": processor, "taken": taken / 1e6, "heap": int(heap) / 1e6}


def quit_now() -> None:
    """Ends this process without asking the engine, which would ask its user."""
    os._exit(0)
