// Writes the manifests of the two packages: `node manifests.mjs PACKAGE_JSON MAIN PLATFORM`.
import { readFileSync, writeFileSync } from "node:fs";

/** Those for which the release builds a package. */
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

const [source, main, platform] = process.argv.slice(2);
const { scripts, devDependencies, ...shared } = JSON.parse(readFileSync(source, "utf8"));
const write = (folder, manifest) => writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
const packages = PLATFORMS.map((name) => [`@stuntdouble/${name}`, shared.version]);

write(main, {
  ...shared,
  files: ["bin", "dist", "LICENSE-*"],
  bin: { stuntdouble: "bin/stuntdouble.js" },
  optionalDependencies: { ...shared.optionalDependencies, ...Object.fromEntries(packages) },
});
write(platform, {
  name: `@stuntdouble/${process.platform}-${process.arch}`,
  version: shared.version,
  description: `${shared.description}: the program for ${process.platform}-${process.arch}`,
  license: shared.license,
  os: [process.platform],
  cpu: [process.arch],
  ...(process.platform === "linux" ? { libc: ["glibc"] } : {}),
  files: ["bin", "lib", "include", "share"],
});
