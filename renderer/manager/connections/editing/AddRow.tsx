// Adds something to a content service: a playlist, label or folder by its name, or an asset of this player with its file.

import { Button, Group, Select, TextInput } from "@mantine/core";
import { IconPlus, IconUpload } from "@tabler/icons-react";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { useAssets } from "../../api/api.ts";
import { reasonOf } from "../../api/reason.ts";
import { operate } from "../../api/operations.ts";
import {
  notifySuccess,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
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

/** Returns whether it was accepted, and the message if it was not. */
function useCreation({ connectionId, collection, onChanged }: Props) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isUnderWay, setIsUnderWay] = useState(false);
  return {
    ...{ refusal, isUnderWay },
    forget: () => {
      setRefusal(null);
    },
    create: async (name: string, fields: Row): Promise<boolean> => {
      setIsUnderWay(true);
      try {
        await operate("createSyncChange", {
          parameters: { id: connectionId },
          body: { collection, action: "create", fields },
        });
        notifySuccess(t("remoteEditing.created", { name }));
        await onChanged();
        return true;
      } catch (error) {
        setRefusal(`${t("remoteEditing.changeFailed")} ${reasonOf(error)}`);
        return false;
      } finally {
        setIsUnderWay(false);
      }
    },
  };
}

function NewRow(
  props: Props & { readonly collection: Exclude<Edited, "assets"> },
): ReactNode {
  const { collection } = props;
  const [name, setName] = useState("");
  const creation = useCreation(props);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const newName = name.trim();
    if (newName === "" || creation.isUnderWay) return;
    const fields = {
      [nameField(collection)]: newName,
      // A new playlist stays inactive until it has something to show.
      ...(collection === "playlists" ? { predicate: "TRUE", items: [] } : {}),
    };
    if (await creation.create(newName, fields)) setName("");
  };
  return (
    <form
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
    >
      <Group align="flex-start" gap={8} py={12}>
        <TextInput
          flex="1 1 240px"
          label={t(`remoteEditing.newNames.${collection}`)}
          dir="auto"
          value={name}
          error={creation.refusal}
          errorProps={{ role: "alert", dir: "auto" }}
          onChange={(event) => {
            setName(event.currentTarget.value);
            creation.forget();
          }}
        />
        <Button
          type="submit"
          mt={22}
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          loading={creation.isUnderWay}
        >
          {t("remoteEditing.create")}
        </Button>
      </Group>
    </form>
  );
}

function SendAsset(props: Props): ReactNode {
  const assets = useAssets().data ?? [];
  const [id, setId] = useState<string | null>(null);
  const creation = useCreation(props);
  const chosen = assets.find((asset) => asset.id === id);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!chosen || creation.isUnderWay) return;
    const source =
      chosen.fileUrl === null
        ? { source_url: chosen.uri }
        : { file: `asset:${chosen.id}` };
    if (await creation.create(chosen.name, { title: chosen.name, ...source }))
      setId(null);
  };
  return (
    <form
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
    >
      <Group align="flex-start" gap={8} py={12}>
        <Select
          flex="1 1 240px"
          label={t("remoteEditing.asset")}
          searchable
          limit={60}
          data={assets.map(({ id: value, name: label }) => ({ value, label }))}
          value={id}
          error={creation.refusal}
          errorProps={{ role: "alert", dir: "auto" }}
          onChange={(value) => {
            setId(value);
            creation.forget();
          }}
        />
        <Button
          type="submit"
          mt={22}
          variant="default"
          leftSection={<IconUpload size={18} aria-hidden />}
          loading={creation.isUnderWay}
          disabled={!chosen}
        >
          {t("remoteEditing.send")}
        </Button>
      </Group>
    </form>
  );
}
