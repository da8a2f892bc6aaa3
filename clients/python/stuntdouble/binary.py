"""Where the program and the shared library are: in this package, where the environment says, or where the system looks."""

from __future__ import annotations

import ctypes.util
import os
import shutil
import sys
from importlib import metadata
from pathlib import Path
from typing import Optional


def program() -> str:
    """The program: that of the wheel, else that which `STUNTDOUBLE_BIN` names, else `stuntdouble` on `PATH`."""
    found = _of_the_wheel() or os.environ.get("STUNTDOUBLE_BIN") or shutil.which("stuntdouble")
    if not found:
        raise FileNotFoundError("no binary: install a wheel that has it, set STUNTDOUBLE_BIN, or put stuntdouble on PATH")
    return found


def library() -> str:
    """The shared library: that of the wheel, else that which `STUNTDOUBLE_LIB` names, else the system's."""
    suffix = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")
    prefix = "" if sys.platform == "win32" else "lib"
    packaged = Path(__file__).parent / "native" / f"{prefix}stuntdouble_c.{suffix}"
    if packaged.exists():
        return str(packaged)
    found = os.environ.get("STUNTDOUBLE_LIB") or ctypes.util.find_library("stuntdouble_c")
    if not found:
        raise FileNotFoundError("no library: install a wheel that has it, or let STUNTDOUBLE_LIB name libstuntdouble_c")
    return found


def _of_the_wheel() -> Optional[str]:
    """The program among the scripts that came with this package. The list of its files knows every kind of installation."""
    try:
        files = metadata.files("stuntdouble") or []
    except metadata.PackageNotFoundError:
        return None
    places = (file.locate() for file in files if file.name in ("stuntdouble", "stuntdouble.exe"))
    return next((str(place) for place in places if Path(str(place)).is_file()), None)
