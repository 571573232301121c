"""Inside the witness's own process: what a player would see on the screen: menus, windows, buttons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .jvm import java
from .play import Play
from .session import Session

SETTLE_MS = 400


class View:
    """The screen, and the menus that open on it. Every method runs on the event thread."""

    def __init__(self, session: Session, play: Play) -> None:
        self._session = session
        self._play = play
        self._popup: Any = None

    def menu(self, piece: str) -> list[dict[str, Any]]:
        """The menu of a piece as it opens under the mouse: entries in their order, submenus with theirs.

        Each has `text`, `key` as Swing prints it, `enabled`, and `entries` if it is a submenu; a line between
        entries has the text `-`.
        """
        target = self._play.piece(piece)
        popup = java("VASSAL.build.module.map.MenuDisplayer").createPopup(target, True)
        return [] if popup is None else _entries(popup.getComponents())

    def popup(self, piece: str) -> dict[str, Any]:
        """Opens a piece's menu, with all its submenus, on the screen; `screen` then shows it."""
        target = self._play.piece(piece)
        self._popup = java("VASSAL.build.module.map.MenuDisplayer").createPopup(target, True)
        frame = self._session.module.getPlayerWindow()
        self._popup.show(frame, 60, 160)
        bottom = 60
        for one in self._popup.getComponents():
            if isinstance(one, java("javax.swing.JMenu")):
                inner = one.getPopupMenu()
                inner.show(frame, 60 + int(self._popup.getWidth()) + 10, 100 + bottom)
                bottom += int(inner.getPreferredSize().height) + 10
        return {}

    def show(self, map_name: str | None = None, width: int = 1580, height: int = 1150) -> dict[str, Any]:
        """Opens the window of a map; without a name the main window, with the first map docked in it."""
        if map_name is None:
            top = self._session.module.getPlayerWindow()
        else:
            top = java("javax.swing.SwingUtilities").getWindowAncestor(self._session.find_map(map_name).getView())
        if top is not None:
            self._session.problems.shown.append(top)
            top.setBounds(0, 0, width, height)
            top.setVisible(True)
            top.toFront()
        return {}

    def hover(self, map_name: str | None, location: str) -> dict[str, Any]:
        """Rests the mouse on a location of a map, which brings up the stack viewer."""
        where, point = self._play.point(map_name, location)
        where.centerAt(point)
        viewers = where.getComponentsOf(java("VASSAL.build.module.map.CounterDetailViewer"))
        at = where.mapToComponent(point)
        event = java("java.awt.event.MouseEvent")(where.getView(), 503, 0, 0, at.x, at.y, 0, False)
        for one in viewers:
            one.mouseMoved(event)
        return {"viewers": len(viewers)}

    def about(self) -> dict[str, Any]:
        """Opens what the help menu has about the module."""
        shown = self._session.all_of("VASSAL.build.module.documentation.AboutScreen")
        for one in shown:
            one.launch()
        return {"shown": len(shown)}

    def click(self, tip: str) -> dict[str, Any]:
        """Clicks the toolbar button whose tool tip begins so.

        Raises:
            LookupError: there is none.
        """
        for one in _inside(self._session.module.getToolBar()):
            button = isinstance(one, java("javax.swing.AbstractButton")) and one.isVisible()
            if button and str(one.getToolTipText() or "").startswith(tip):
                one.doClick(0)
                return {}
        raise LookupError(f"no button with the tool tip '{tip}'")

    def windows(self) -> list[dict[str, Any]]:
        """Every window that is open: its title and its size in pixels."""
        found = []
        for one in java("java.awt.Window").getWindows():
            if one.isShowing():
                title = str(one.getTitle() or "") if hasattr(one, "getTitle") else ""
                found.append({"title": title, "width": int(one.getWidth()), "height": int(one.getHeight())})
        return found

    def buttons(self) -> list[dict[str, Any]]:
        """The visible buttons of the module's own toolbar and of each map's, from the left: text and tool tip."""
        bars = [("", self._session.module.getToolBar())]
        bars += [(str(m.getMapName()), m.getToolBar()) for m in java("VASSAL.build.module.Map").getMapList()]
        return [
            {"bar": name, "text": str(one.getText() or ""), "tip": str(one.getToolTipText() or "")}
            for name, bar in bars
            for one in _inside(bar)
            if isinstance(one, java("javax.swing.AbstractButton")) and one.isVisible()
        ]


def widths(texts: list[str], size: int) -> list[int]:
    """Pixels that each text takes in the font of turn trackers, in bold, as a player may prefer it."""
    image = java("java.awt.image.BufferedImage")(1, 1, 1)
    metrics = image.createGraphics().getFontMetrics(java("java.awt.Font")("Dialog", 1, size))
    return [int(metrics.stringWidth(text)) for text in texts]


def screen(path: str) -> dict[str, Any]:
    """Writes the whole screen to a PNG file. Runs off the event thread, so that what is due gets painted."""
    java("java.lang.Thread").sleep(SETTLE_MS)
    size = java("java.awt.Toolkit").getDefaultToolkit().getScreenSize()
    shot = java("java.awt.Robot")().createScreenCapture(java("java.awt.Rectangle")(size))
    java("javax.imageio.ImageIO").write(shot, "png", java("java.io.File")(str(Path(path).resolve())))
    return {"width": int(size.width), "height": int(size.height)}


def _inside(container: Any) -> list[Any]:
    found = []
    for one in container.getComponents():
        found.append(one)
        if isinstance(one, java("java.awt.Container")):
            found += _inside(one)
    return found


def _entries(components: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for one in components:
        if isinstance(one, java("javax.swing.JPopupMenu$Separator")):
            found.append({"text": "-"})
            continue
        stroke = one.getAccelerator() if not isinstance(one, java("javax.swing.JMenu")) else None
        entry: dict[str, Any] = {
            "text": str(one.getText() or ""),
            "key": "" if stroke is None else str(stroke),
            "enabled": bool(one.isEnabled()),
        }
        if isinstance(one, java("javax.swing.JMenu")):
            entry["entries"] = _entries(one.getMenuComponents())
        found.append(entry)
    return found
