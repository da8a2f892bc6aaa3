"""Puts the program, the extension, manual pages and completions into a wheel for this platform. They are in the folder that
STUNTDOUBLE_NATIVE names, which `clients/native` makes; without that variable the wheel has Python alone, for every platform."""

import os
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NativeHook(BuildHookInterface):
    def initialize(self, version, build_data):
        folder = os.environ.get("STUNTDOUBLE_NATIVE")
        if not folder:
            return
        native = Path(folder)
        build_data["pure_python"] = False
        build_data["tag"] = f"cp39-abi3-{(native / 'platform').read_text().strip()}"
        for program in (native / "bin").iterdir():
            build_data["shared_scripts"][str(program)] = program.name
        for library in (native / "lib").iterdir():
            build_data["force_include"][str(library)] = f"stuntdouble/{library.name}"
        build_data["shared_data"][str(native / "share")] = "share"
