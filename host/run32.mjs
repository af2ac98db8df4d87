// Runs Python sources in the MicroPython of an npm package (32-bit objects, as on the board).
// A job on standard input as JSON: {"package": directory, "heap": bytes, "files": {path: base64}, "steps": [source]}.
// Between steps the interpreter is at its top level, the only place where this port collects garbage.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const TREE = "/tree";

async function run(job) {
  const { loadMicroPython } = await import(pathToFileURL(`${job.package}/micropython.mjs`));
  const mp = await loadMicroPython({ heapsize: job.heap, stdout: (line) => process.stdout.write(`${line}\n`) });
  mp.FS.mkdir(TREE);
  for (const [path, content] of Object.entries(job.files)) {
    const folder = `${TREE}/${path}`.split("/").slice(0, -1).join("/");
    if (!mp.FS.analyzePath(folder).exists) mp.FS.mkdirTree(folder);
    mp.FS.writeFile(`${TREE}/${path}`, Buffer.from(content, "base64"));
  }
  mp.FS.chdir(TREE);
  mp.runPython(`import sys; sys.path.insert(0, '${TREE}')`);
  for (const step of job.steps) mp.runPython(step);
}

// An uncaught error would print the whole source of the package; its message is the traceback of the program.
run(JSON.parse(readFileSync(0, "utf8"))).catch((error) => {
  process.stderr.write(`${error.message ?? error}\n`);
  process.exitCode = 1;
});
