// All commands: the source of what the command line accepts, of its help and completion, and of the tools of the MCP server.

import type { Command } from "../command.ts";
import { assetCommands } from "./assets.ts";
import { now } from "./now.ts";
import { playlistCommands } from "./playlists.ts";
import { screenCommands } from "./screens.ts";
import { takeoverCommands } from "./takeover.ts";

export const commands: readonly Command[] = [
  ...screenCommands,
  ...assetCommands,
  ...playlistCommands,
  ...takeoverCommands,
  now,
];
