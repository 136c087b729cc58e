// Another address for a page or stream: name, place, dates and playlists stay.

import { TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { AssetView } from "../../../server/contract/ipc.ts";
import { reasonOf } from "../api.ts";
import { operate } from "../operations.ts";
import { texts } from "../texts/texts.ts";
import { rememberUndo } from "../undo.ts";

export function ReplaceAddress({
  asset,
}: {
  readonly asset: AssetView;
}): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { id, uri } = asset;

  const put = (address: string) =>
    operate("replaceSource", { parameters: { id }, body: { uri: address } });
  const leave = async (): Promise<void> => {
    if (typed === null || typed.trim() === uri) {
      setTyped(null);
      return;
    }
    try {
      await put(typed.trim());
      rememberUndo(texts.inspector.change(texts.inspector.address), () =>
        put(uri),
      );
      setTyped(null);
      setRefusal(null);
    } catch (error) {
      setRefusal(reasonOf(error));
    }
  };
  return (
    <TextInput
      label={texts.inspector.address}
      dir="ltr"
      spellCheck={false}
      value={typed ?? uri}
      error={refusal}
      errorProps={{ role: "alert", dir: "auto" }}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        setRefusal(null);
      }}
      onBlur={() => void leave()}
      onKeyDown={(event) => {
        if (event.key === "Enter") void leave();
      }}
    />
  );
}
