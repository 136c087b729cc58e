// Replaces the address of a page or stream: name, order, dates and playlists stay.

import { TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { AssetView } from "../api/asset-view.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { reasonOf } from "../api/reason.ts";
import { operate } from "../api/operations.ts";
import { t } from "../../locales/messages.ts";
import { ChangedElsewhere, defineUndo, rememberUndo } from "../undo/undo.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Replaced {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

const addressUndo = defineUndo<Replaced>(
  "address replaced",
  async ({ id, before, after }, { isForced }) => {
    const now = await operate("readAsset", { parameters: { id } });
    if (now.uri === before) return undefined;
    if (now.uri !== after && !isForced)
      return new ChangedElsewhere(now.name ?? id, false);
    return put(id, before);
  },
);

function put(id: string, address: string): Promise<AssetV2> {
  const body = { uri: address };
  return operate("replaceSource", { parameters: { id }, body });
}

export function ReplaceAddress({
  asset,
}: {
  readonly asset: AssetView;
}): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { id, uri } = asset;

  const leave = async (): Promise<void> => {
    if (typed === null || typed.trim() === uri) {
      setTyped(null);
      return;
    }
    try {
      const { uri: after } = await put(id, typed.trim());
      rememberUndo(
        t("inspector.changed", { field: t("inspector.address") }),
        addressUndo({ id, before: uri, after: after ?? typed.trim() }),
      );
      setTyped(null);
      setRefusal(null);
    } catch (error) {
      setRefusal(reasonOf(error));
    }
  };
  return (
    <TextInput
      label={t("inspector.address")}
      dir="ltr"
      spellCheck={false}
      value={typed ?? uri}
      error={refusal}
      errorProps={{ role: "alert", dir: "auto" }}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        setRefusal(null);
      }}
      onBlur={() => {
        leave().catch(notifyInternalError);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") leave().catch(notifyInternalError);
      }}
    />
  );
}
