"""Where the program and the extension are: in this package, or where the environment says."""

from __future__ import annotations

import functools
import os
import shutil
from importlib import import_module, metadata
from importlib.machinery import ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Optional


def program() -> str:
    """The program: that of the wheel, else that which `STUNTDOUBLE_BIN` names, else `stuntdouble` on `PATH`."""
    found = _of_the_wheel() or os.environ.get("STUNTDOUBLE_BIN") or shutil.which("stuntdouble")
    if not found:
        raise FileNotFoundError("no binary: install a wheel that has it, set STUNTDOUBLE_BIN, or put stuntdouble on PATH")
    return found


@functools.cache
def extension() -> ModuleType:
    """The extension with worlds in process: that of the wheel, else that which `STUNTDOUBLE_PYTHON_LIB` names."""
    name = f"{__package__}._native"
    if find_spec(name):
        return import_module(name)
    found = os.environ.get("STUNTDOUBLE_PYTHON_LIB")
    if not found:
        raise FileNotFoundError(
            "no extension: install the wheel that clients/python/build makes, or let STUNTDOUBLE_PYTHON_LIB name the library that"
            " cargo build -p sim-python makes"
        )
    spec = spec_from_loader(name, ExtensionFileLoader(name, found))
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _of_the_wheel() -> Optional[str]:
    """The program among the scripts that came with this package. The list of its files knows every kind of installation."""
    try:
        files = metadata.files("stuntdouble") or []
    except metadata.PackageNotFoundError:
        return None
    places = (file.locate() for file in files if file.name in ("stuntdouble", "stuntdouble.exe"))
    return next((str(place) for place in places if Path(str(place)).is_file()), None)
