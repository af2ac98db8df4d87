// Runs Python sources in the MicroPython of an npm package (32-bit objects, as on the board).
// A job on standard input as JSON: {"package": directory, "heap": bytes, "files": {path: base64}, "steps": [source]}.
// Between steps the interpreter is at its top level, the only place where this port collects garbage.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(0, "utf8"));
const { loadMicroPython } = await import(pathToFileURL(`${job.package}/micropython.mjs`));
const mp = await loadMicroPython({ heapsize: job.heap, stdout: (line) => process.stdout.write(`${line}\n`) });
for (const [path, content] of Object.entries(job.files)) {
  const parts = path.split("/").slice(0, -1);
  for (let i = 1; i <= parts.length; i++) {
    const folder = `/tree/${parts.slice(0, i).join("/")}`;
    if (!mp.FS.analyzePath(folder).exists) mp.FS.mkdirTree(folder);
  }
  if (!mp.FS.analyzePath("/tree").exists) mp.FS.mkdir("/tree");
  mp.FS.writeFile(`/tree/${path}`, Buffer.from(content, "base64"));
}
mp.FS.chdir("/tree");
try {
  mp.runPython("import sys; sys.path.insert(0, '/tree')");
  for (const step of job.steps) mp.runPython(step);
} catch (error) {
  process.stderr.write(`${error.message ?? error}\n`);
  process.exitCode = 1;
}
