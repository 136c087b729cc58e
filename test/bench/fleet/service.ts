// Starts a content service in a process of its own, for benches.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export async function startService(dataDir: string, port: number) {
  const child = spawn(
    process.execPath,
    [
      ...["server/content/main.ts", "--data-dir", dataDir],
      ...["--port", String(port)],
    ],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const [, address] = /ready: (http:\/\/\S+)/.exec(output) ?? [];
    if (address !== undefined) return { process: child, address };
  }
  throw new Error(`The service did not start. ${output}`);
}
