/** Where the program and the shared library are: in the package of this platform, where the environment says, or on `PATH`. */

import { createRequire } from "node:module";

const PACKAGE = `@stuntdouble/${process.platform}-${process.arch}`;

/** The program: that of the platform's package, else what `STUNTDOUBLE_BIN` names, else `stuntdouble` on `PATH`. */
export function program(): string {
  const name = process.platform === "win32" ? "stuntdouble.exe" : "stuntdouble";
  return packaged(`bin/${name}`) ?? process.env["STUNTDOUBLE_BIN"] ?? "stuntdouble";
}

/** The shared library: that of the platform's package, else what `STUNTDOUBLE_LIB` names. */
export function library(): string {
  const names: Record<string, string> = { darwin: "libstuntdouble_c.dylib", win32: "stuntdouble_c.dll" };
  const name = names[process.platform] ?? "libstuntdouble_c.so";
  const found = packaged(`lib/${name}`) ?? process.env["STUNTDOUBLE_LIB"];
  if (!found) throw new Error(`no library: install ${PACKAGE}, or let STUNTDOUBLE_LIB name ${name}`);
  return found;
}

function packaged(path: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`${PACKAGE}/${path}`);
  } catch {
    return undefined;
  }
}
