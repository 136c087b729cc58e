// One row of a content service: renamed in place, a playlist switched, deleted by name.

import { ActionIcon, Button, Switch, TextInput, Tooltip } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import {
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from "react";
import { operate } from "../../operations.ts";
import { focusInstead } from "../../components/focus/focus.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { t } from "../../../locales/messages.ts";
import { notifyUndoable } from "../../undo.ts";
import {
  idOf,
  nameField,
  nameOf,
  type Collection,
  type Row,
} from "./service-row.ts";

interface Props {
  readonly connectionId: string;
  readonly collection: Collection;
  readonly row: Row;
  /** Queued changes that the content service does not show yet. */
  readonly queuedFields: Row;
  readonly onChanged: () => Promise<void>;
}

export function ServiceRow(props: Props): ReactNode {
  const { collection, row } = props;
  const [open, setOpen] = useState<"rename" | "remove" | null>(null);
  const name = nameOf(collection, row);
  const close = () => {
    setOpen(null);
  };
  if (open === "remove")
    return (
      <li>
        <NamedQuestion
          question={t("remoteEditing.deleteQuestion", { name })}
          consequence={t("remoteEditing.deleteConsequence")}
          no={t("connections.cancel")}
          yes={t("remoteEditing.delete")}
          onNo={close}
          onYes={async () => {
            try {
              await change(props, "delete", {}, row);
              notifySuccess(t("remoteEditing.deleted", { name }));
            } catch (error) {
              notifyFailure(t("remoteEditing.changeFailed"), error);
            } finally {
              close();
              await props.onChanged();
            }
          }}
        />
      </li>
    );
  if (open === "rename")
    return (
      <li>
        <Rename {...props} onClose={close} />
      </li>
    );
  return (
    <li>
      <div className="panel-main">
        <p>
          <bdi>{name}</bdi>
        </p>
      </div>
      {collection === "playlists" && typeof row["is_enabled"] === "boolean" ? (
        <Enabled {...props} isEnabled={row["is_enabled"]} />
      ) : null}
      {collection === "screens" ? null : (
        <>
          <Tooltip label={t("remoteEditing.rename")}>
            <ActionIcon
              variant="default"
              aria-label={t("remoteEditing.renameNamed", { name })}
              onClick={() => {
                setOpen("rename");
              }}
            >
              <IconPencil size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t("remoteEditing.delete")}>
            <ActionIcon
              variant="default"
              aria-label={t("remoteEditing.deleteNamed", { name })}
              onClick={() => {
                setOpen("remove");
              }}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </li>
  );
}

function Enabled(props: Props & { readonly isEnabled: boolean }): ReactNode {
  const { collection, row, isEnabled, onChanged } = props;
  const name = nameOf(collection, row);
  // The requested value is shown until the content service has it, and until then waits in the queue: pressing again reverts it.
  const queued = props.queuedFields["is_enabled"];
  const [pressed, setPressed] = useState<boolean | null>(null);
  const to = async (isOn: boolean): Promise<void> => {
    const forget = () => {
      setPressed((latest) => (latest === isOn ? null : latest));
    };
    const before = { ...row, is_enabled: !isOn };
    setPressed(isOn);
    try {
      await change(props, "change", { is_enabled: isOn }, before);
    } catch (error) {
      forget();
      throw error;
    }
    onChanged().then(forget).catch(notifyInternalError);
  };
  return (
    <Switch
      aria-label={t("remoteEditing.enableNamed", { name })}
      checked={pressed ?? (typeof queued === "boolean" ? queued : isEnabled)}
      onChange={(event) => {
        const isOn = event.currentTarget.checked;
        to(isOn).then(
          () => {
            notifyUndoable(
              isOn
                ? t("remoteEditing.enabled", { name })
                : t("remoteEditing.disabled", { name }),
              () => to(!isOn),
              null,
              [fieldOf(props, "is_enabled")],
            );
          },
          (error: unknown) => {
            notifyFailure(t("remoteEditing.changeFailed"), error);
          },
        );
      }}
    />
  );
}

function Rename(props: Props & { readonly onClose: () => void }): ReactNode {
  const { collection, onClose, onChanged } = props;
  // The row as it was when the field opened. The list may be read again meanwhile, and a change made elsewhere must remain a
  // conflict.
  const [row] = useState(props.row);
  const before = nameOf(collection, row);
  const [name, setName] = useState(before);
  const [isSaving, setIsSaving] = useState(false);
  const field = nameField(collection);
  const form = useFocusToRow();
  const to = async (from: string, newName: string): Promise<void> => {
    const base = { ...row, [field]: from };
    await change(props, "change", { [field]: newName }, base);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const newName = name.trim();
    if (newName === "" || newName === before) return onClose();
    setIsSaving(true);
    try {
      await to(before, newName);
      const undo = () => to(newName, before).then(onChanged);
      const fields = [fieldOf(props, field)];
      notifyUndoable(
        t("remoteEditing.renamed", { previousName: before, name: newName }),
        undo,
        null,
        fields,
      );
      await onChanged();
      onClose();
    } catch (error) {
      notifyFailure(t("remoteEditing.changeFailed"), error);
      setIsSaving(false);
    }
  };
  return (
    <form
      ref={form}
      className="service-rename"
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <TextInput
        className="panel-field"
        aria-label={t("remoteEditing.newName", { name: before })}
        dir="auto"
        autoFocus
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <Button variant="default" onClick={onClose}>
        {t("connections.cancel")}
      </Button>
      <Button type="submit" loading={isSaving}>
        {t("remoteEditing.save")}
      </Button>
    </form>
  );
}

/** The field closes when it is answered; the row stays. */
function useFocusToRow() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const row = form.current?.parentElement;
    return () => {
      if (row) focusInstead(row, "button");
    };
  }, []);
  return form;
}

/** A unique name: an earlier notice about the same field no longer offers undo. */
function fieldOf(
  { connectionId, collection, row }: Props,
  field: string,
): string {
  return `${connectionId} ${collection} ${idOf(row)} ${field}`;
}

/** Sent with the row as it was read, so that nothing changed elsewhere meanwhile is overwritten. */
async function change(
  { connectionId, collection, row }: Props,
  action: "change" | "delete",
  fields: Row,
  base: Row,
): Promise<void> {
  await operate("createSyncChange", {
    parameters: { id: connectionId },
    body: {
      ...{ collection, action, id: idOf(row), base },
      ...(action === "delete" ? {} : { fields }),
    },
  });
}
