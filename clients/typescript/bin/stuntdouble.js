#!/usr/bin/env node
// Runs the program of this platform's package.
import { spawn } from "node:child_process";
import { program } from "../dist/binary.js";

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 2;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + ({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }[signal] ?? 9);
});
