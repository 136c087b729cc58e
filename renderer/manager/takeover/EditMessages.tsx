// Edits the preset messages, which the player stores.

import {
  ActionIcon,
  Button,
  Flex,
  Group,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { TakeoverMessage } from "../../../server/contract/v2/v2-settings.ts";
import { useAssets } from "../api/api.ts";
import { reasonOf } from "../api/reason.ts";
import { ChangedElsewhere } from "../components/drafts/ChangedElsewhere.tsx";
import { useFocusBack } from "../components/focus/focus-back.ts";
import { useFocusInRows } from "../components/focus/focus-in-rows.ts";
import { randomId } from "../place/random-id.ts";
import { mergeEntries } from "../undo/three-way-merge.ts";
import { DurationField } from "./DurationField.tsx";
import type { Messages } from "./messages.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly messages: Messages;
  readonly onDone: () => void;
}

type Content = "text" | "asset_id" | "url";
const contents: readonly Content[] = ["text", "asset_id", "url"];

/** The player's limit. */
const maxMessages = 50;
/** Others are found by typing. */
const maxOffered = 50;

export function EditMessages({ messages, onDone }: Props): ReactNode {
  const [list, setList] = useState(messages.list);
  /** What was stored when editing began, including conflicts resolved since. */
  const [base, setBase] = useState(() => byId(messages.list));
  /** Changed here and elsewhere, as they are stored now; null where they were removed. */
  const [conflicts, setConflicts] = useState<Conflicts>(new Map());
  const saveButton = useRef<HTMLButtonElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isKeeping, setIsKeeping] = useState(false);

  const box = useFocusBack<HTMLDivElement>();
  const rows = useFocusInRows(".message-add");
  const first = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    first.current?.focus();
  }, []);
  const [addedId, setAddedId] = useState<string | null>(null);

  const change = (index: number, next: TakeoverMessage): void => {
    setList(list.map((one, at) => (at === index ? next : one)));
  };
  const keep = async (): Promise<void> => {
    setIsKeeping(true);
    try {
      const theirs = byId(await messages.readNow());
      const merged = mergeEntries(base, byId(list), theirs);
      // Each side keeps what it added, changed and removed.
      const next = [...merged.entries.values()];
      setList(next);
      setConflicts(
        new Map(merged.conflicts.map((id) => [id, theirs.get(id) ?? null])),
      );
      // An unresolved conflict remains one the next time.
      setBase(
        merged.conflicts.reduce(
          (all, id) => withMessage(all, id, base.get(id)),
          theirs,
        ),
      );
      if (merged.conflicts.length > 0) return;
      await messages.keep(next);
      onDone();
    } catch (error) {
      setRefusal(reasonOf(error));
    } finally {
      setIsKeeping(false);
    }
  };
  const decide = (id: string, isMine: boolean): void => {
    const theirs = conflicts.get(id) ?? undefined;
    setBase(withMessage(base, id, theirs));
    if (!isMine) setList([...withMessage(byId(list), id, theirs).values()]);
    setConflicts(new Map([...conflicts].filter(([other]) => other !== id)));
    saveButton.current?.focus();
  };
  return (
    <Stack ref={box}>
      <Text
        className="takeover-about"
        c="dimmed"
        style={{ outline: "none" }}
        tabIndex={-1}
        ref={first}
      >
        {t("takeover.editDescription")}
      </Text>
      <Stack {...rows}>
        <Flex direction="column" gap={16} component="ol">
          {list.map((message, index) => (
            <Flex
              key={message.id}
              className="message"
              direction="column"
              gap={8}
              component="li"
              p={12}
              bd="1px solid var(--line)"
              bdrs={8}
            >
              <Group wrap="nowrap" align="flex-end" gap={8}>
                <TextInput
                  flex={1}
                  autoFocus={message.id === addedId}
                  label={t("takeover.name")}
                  value={message.name}
                  onChange={(event) => {
                    change(index, {
                      ...message,
                      name: event.currentTarget.value,
                    });
                  }}
                />
                <ActionIcon
                  size={36}
                  aria-label={t("takeover.removeNamed", { name: message.name })}
                  onClick={() => {
                    setList(list.filter((_, at) => at !== index));
                  }}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              </Group>
              <Contents
                message={message}
                onChange={(next) => {
                  change(index, next);
                }}
              />
              <DurationField
                label={t("takeover.duration")}
                seconds={message.seconds}
                onChange={(seconds) => {
                  change(index, { ...message, seconds });
                }}
              />
            </Flex>
          ))}
        </Flex>
        <Button
          className="message-add"
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          disabled={list.length >= maxMessages}
          onClick={() => {
            const id = randomId();
            const name = plainMessage("takeover.newName");
            const text = plainMessage("takeover.newText");
            setList([...list, { id, name, text, seconds: null }]);
            setAddedId(id);
          }}
        >
          {t("takeover.add")}
        </Button>
      </Stack>
      {refusal === null ? null : (
        <Text role="alert" c="var(--fault)" dir="auto">
          {refusal}
        </Text>
      )}
      {[...conflicts].map(([id, theirs]) => (
        <ChangedElsewhere
          key={id}
          label={
            (list.find((one) => one.id === id) ?? base.get(id))?.name ?? ""
          }
          isNamed
          theirs={theirs ? wordsOf(theirs) : ""}
          onKeep={() => {
            decide(id, true);
          }}
          onTheirs={() => {
            decide(id, false);
          }}
        />
      ))}
      <Group wrap="nowrap" align="stretch" justify="flex-end" gap={8}>
        <Button variant="default" onClick={onDone}>
          {t("manager.cancel")}
        </Button>
        <Button
          ref={saveButton}
          loading={isKeeping}
          onClick={() => {
            keep().catch(notifyInternalError);
          }}
        >
          {t("manager.save")}
        </Button>
      </Group>
    </Stack>
  );
}

type ById = ReadonlyMap<string, TakeoverMessage>;
type Conflicts = ReadonlyMap<string, TakeoverMessage | null>;

function byId(list: readonly TakeoverMessage[]): ById {
  return new Map(list.map((message) => [message.id, message]));
}

function withMessage(
  all: ById,
  id: string,
  message: TakeoverMessage | undefined,
): ById {
  const next = new Map(all);
  if (message) next.set(id, message);
  else next.delete(id);
  return next;
}

/** All parts of it that can differ: its name, and what it shows. */
function wordsOf({ name, text, url, asset_id: id }: TakeoverMessage): string {
  return `${name}: ${text ?? url ?? id ?? ""}`;
}

function Contents(props: {
  readonly message: TakeoverMessage;
  readonly onChange: (message: TakeoverMessage) => void;
}): ReactNode {
  const { message, onChange } = props;
  const { id, name, seconds } = message;
  const kind = contents.find((one) => message[one] !== undefined) ?? "text";
  const assets = useAssets().data ?? [];
  const put = (content: Content, value: string): void => {
    onChange({ id, name, seconds, [content]: value });
  };
  return (
    <>
      <Select
        label={t("takeover.content")}
        allowDeselect={false}
        data={contents.map((value) => ({
          value,
          label: t(`takeover.contentKinds.${value}`),
        }))}
        value={kind}
        onChange={(value) => {
          put(value ?? "text", "");
        }}
      />
      {kind === "text" ? (
        <Textarea
          label={t("takeover.customText")}
          autosize
          minRows={2}
          maxLength={500}
          value={message.text ?? ""}
          onChange={(event) => {
            put("text", event.currentTarget.value);
          }}
        />
      ) : kind === "url" ? (
        <TextInput
          label={t("takeover.contentKinds.url")}
          dir="ltr"
          placeholder="https://"
          value={message.url ?? ""}
          onChange={(event) => {
            put("url", event.currentTarget.value);
          }}
        />
      ) : (
        <Select
          label={t("takeover.contentKinds.asset_id")}
          searchable
          limit={maxOffered}
          data={assets.map((asset) => ({ value: asset.id, label: asset.name }))}
          value={message.asset_id ?? null}
          onChange={(value) => {
            put("asset_id", value ?? "");
          }}
        />
      )}
    </>
  );
}
