// Flags that every command accepts.

interface GlobalFlag {
  readonly type: "string" | "boolean";
  /** Placeholder of its value. */
  readonly value?: string;
  readonly text: string;
  readonly isFile?: boolean;
}

export const globalFlags = {
  service: {
    ...{ type: "string", value: "URL" },
    text: "Address of the content service (VITRINE_SERVICE)",
  },
  player: {
    ...{ type: "string", value: "ADDRESS" },
    text: "Address of a player, instead of a service",
  },
  "key-file": {
    ...{ type: "string", value: "FILE", isFile: true },
    text: "File with the key (VITRINE_KEY_FILE; for a player, VITRINE_PLAYER_KEY_FILE)",
  },
  key: {
    ...{ type: "string", value: "KEY" },
    text: "The key (VITRINE_KEY; for a player, VITRINE_PLAYER_KEY). Other users of this PC can see flags",
  },
  json: { type: "boolean", text: "Print JSON, for scripts" },
  "dry-run": {
    type: "boolean",
    text: "Show what would change, without changing it",
  },
  output: {
    ...{ type: "string", value: "FILE", isFile: true },
    text: "Save the file that the command returns",
  },
  help: { type: "boolean", text: "Show help" },
  version: { type: "boolean", text: "Print the version" },
} as const satisfies Readonly<Record<string, GlobalFlag>>;

export type GlobalFlagName = keyof typeof globalFlags;

export const globalFlagList: readonly (GlobalFlag & {
  readonly name: GlobalFlagName;
})[] = Object.entries(globalFlags).map(([name, flag]) => ({
  name: name as GlobalFlagName,
  ...flag,
}));
