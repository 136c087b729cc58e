// Adds something to a content service: a playlist, label or folder by its name, or an asset of this player with its file.

import { Select, TextInput } from "@mantine/core";
import { IconPlus, IconUpload } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useAssets } from "../../api/api.ts";
import { reasonOf } from "../../api/reason.ts";
import { operate } from "../../api/operations.ts";
import { RowForm } from "../../components/controls/RowForm.tsx";
import { notifySuccess } from "../../components/outcomes/outcome.ts";
import { useRefusal } from "../../components/outcomes/use-attempt.ts";
import { t } from "../../../locales/messages.ts";
import { nameField, type Edited, type Row } from "./service-row.ts";

interface Props {
  readonly connectionId: string;
  readonly collection: Edited;
  readonly onChanged: () => Promise<void>;
}

export function AddRow(props: Props): ReactNode {
  const { collection } = props;
  return collection === "assets" ? (
    <SendAsset {...props} />
  ) : (
    <NewRow {...props} collection={collection} />
  );
}

function useCreation({ connectionId, collection, onChanged }: Props) {
  const { attempt, ...creation } = useRefusal(
    (error) => `${t("remoteEditing.changeFailed")} ${reasonOf(error)}`,
  );
  return {
    ...creation,
    create: (name: string, fields: Row, onCreated: () => void): void => {
      attempt(async () => {
        await operate("createSyncChange", {
          parameters: { id: connectionId },
          body: { collection, action: "create", fields },
        });
        notifySuccess(t("remoteEditing.created", { name }));
        await onChanged();
        onCreated();
      });
    },
  };
}

function NewRow(
  props: Props & { readonly collection: Exclude<Edited, "assets"> },
): ReactNode {
  const { collection } = props;
  const [name, setName] = useState("");
  const creation = useCreation(props);
  const submit = (): void => {
    const newName = name.trim();
    if (newName === "") return;
    const fields = {
      [nameField(collection)]: newName,
      // A new playlist stays inactive until it has something to show.
      ...(collection === "playlists" ? { predicate: "TRUE", items: [] } : {}),
    };
    creation.create(newName, fields, () => {
      setName("");
    });
  };
  return (
    <RowForm
      icon={IconPlus}
      submitText={t("remoteEditing.create")}
      isUnderWay={creation.isUnderWay}
      onSubmit={submit}
    >
      <TextInput
        flex="1 1 240px"
        label={t(`remoteEditing.newNames.${collection}`)}
        dir="auto"
        value={name}
        {...creation.atField}
        onChange={(event) => {
          setName(event.currentTarget.value);
          creation.forget();
        }}
      />
    </RowForm>
  );
}

function SendAsset(props: Props): ReactNode {
  const assets = useAssets().data ?? [];
  const [id, setId] = useState<string | null>(null);
  const creation = useCreation(props);
  const chosen = assets.find((asset) => asset.id === id);
  const submit = (): void => {
    if (!chosen) return;
    const source =
      chosen.fileUrl === null
        ? { source_url: chosen.uri }
        : { file: `asset:${chosen.id}` };
    creation.create(chosen.name, { title: chosen.name, ...source }, () => {
      setId(null);
    });
  };
  return (
    <RowForm
      icon={IconUpload}
      submitText={t("remoteEditing.send")}
      isUnderWay={creation.isUnderWay}
      isDisabled={!chosen}
      onSubmit={submit}
    >
      <Select
        flex="1 1 240px"
        label={t("remoteEditing.asset")}
        searchable
        limit={60}
        data={assets.map(({ id: value, name: label }) => ({ value, label }))}
        value={id}
        {...creation.atField}
        onChange={(value) => {
          setId(value);
          creation.forget();
        }}
      />
    </RowForm>
  );
}
