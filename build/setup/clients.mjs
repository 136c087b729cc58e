// Generates the types of the typed clients, which only the type check reads.

import { inProject, projectNode } from "./paths.mjs";
import { SetupStopped } from "./progress.mjs";
import { runQuietly } from "./run.mjs";

export async function clients(env) {
  const script = inProject("build/generate-clients.ts");
  const { ok, output } = await runQuietly(projectNode(), [script], { env });
  if (!ok)
    throw new SetupStopped(
      `${output}\nThe types of the clients could not be generated.`,
    );
}
