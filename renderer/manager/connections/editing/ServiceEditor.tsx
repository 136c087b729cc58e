// Edits a content service: its rows by kind, to rename, switch, delete and add, with the changes still pending.

import { Button, SegmentedControl, Stack } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { keyOf, operate, useAnswer } from "../../api/operations.ts";
import { useFocusInRows } from "../../components/focus/focus-in-rows.ts";
import { QueryError } from "../../components/outcomes/QueryError.tsx";
import { t } from "../../../locales/messages.ts";
import { AddRow } from "./AddRow.tsx";
import { OutboxQueue } from "./OutboxQueue.tsx";
import {
  collections,
  idOf,
  queuedFieldsOf,
  type Collection,
} from "./service-row.ts";
import { ServiceRow } from "./ServiceRow.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

const pageSize = "100";
const queueIntervalMs = 2_000;
const offlineRetryIntervalMs = 5_000;

interface Props {
  readonly connectionId: string;
  /** Changes that the content service does not have yet, and those of them that a person must resolve. */
  readonly waiting: number;
  readonly stuck: number;
}

export function ServiceEditor({
  connectionId,
  waiting,
  stuck,
}: Props): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [shown, setShown] = useState(0);
  const isStuck = stuck > 0;
  // A change that starts to need a person opens the section by itself; closed by hand, it stays closed until another one does.
  if (stuck !== shown) {
    setShown(stuck);
    if (stuck > shown) setIsOpen(true);
  }
  return (
    <details
      className="kept-plans line-above"
      open={isOpen}
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open);
      }}
    >
      <summary>
        {t("remoteEditing.title")}
        {waiting > 0 ? (
          <span data-tone={isStuck ? "waiting" : undefined}>
            {" · "}
            {isStuck
              ? t("remoteEditing.needReview", { count: stuck })
              : t("remoteEditing.pending", { count: waiting })}
          </span>
        ) : null}
      </summary>
      {isOpen ? <Opened connectionId={connectionId} /> : null}
    </details>
  );
}

function Opened({
  connectionId,
}: {
  readonly connectionId: string;
}): ReactNode {
  const [collection, setCollection] = useState<Collection>("playlists");
  const client = useQueryClient();
  const changes = useAnswer(
    "listSyncChanges",
    { parameters: { id: connectionId } },
    { intervalMs: queueIntervalMs },
  );
  const open = (changes.data ?? []).filter(({ state }) => state !== "done");
  const rowsKey = ["listServiceContent", connectionId, collection];
  const rows = useInfiniteQuery({
    queryKey: rowsKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      operate("listServiceContent", {
        parameters: {
          ...{ id: connectionId, collection, limit: pageSize },
          ...(pageParam === null ? {} : { after: pageParam }),
        },
      }),
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) =>
      state.status === "error" ? offlineRetryIntervalMs : false,
  });
  // Changes that have arrived since are read again; so are those that need a person.
  useOnNews(changes.data && open.map(({ change_id: id }) => id).join(), () => {
    client.invalidateQueries({ queryKey: rowsKey }).catch(notifyInternalError);
  });
  useOnNews(changes.data && open.map(({ state }) => state).join(), () => {
    client
      .invalidateQueries({ queryKey: keyOf("readSync") })
      .catch(notifyInternalError);
  });
  const refetch = async (): Promise<void> => {
    await Promise.all([
      client.invalidateQueries({ queryKey: keyOf("listSyncChanges") }),
      client.invalidateQueries({ queryKey: rowsKey }),
    ]);
  };
  // A row that is sent, resolved or deleted disappears from its list a moment later.
  const focus = useFocusInRows(".service-collections input:checked");
  const list = rows.data?.pages.flatMap((page) => page.rows) ?? [];
  const edited = { connectionId, onChanged: refetch };
  return (
    <Stack gap={8} {...focus}>
      <p className="quiet">{t("remoteEditing.description")}</p>
      <SegmentedControl
        className="service-collections"
        maw="100%"
        style={{ alignSelf: "flex-start" }}
        aria-label={t("remoteEditing.collection")}
        data={collections.map((value) => ({
          ...{ value, label: t(`remoteEditing.collections.${value}`) },
        }))}
        value={collection}
        onChange={(value) => {
          setCollection(value);
        }}
      />
      {open.length > 0 ? <OutboxQueue {...edited} changes={open} /> : null}
      {collection === "screens" ? null : (
        <AddRow key={collection} {...edited} collection={collection} />
      )}
      {rows.isError ? (
        <QueryError
          sentence={`${t("remoteEditing.loadFailed")} ${t("connections.screenContinues")}`}
          query={rows}
        />
      ) : null}
      {rows.data === undefined ? (
        rows.isError ? null : (
          <p className="quiet after-a-moment" role="status">
            {t("remoteEditing.loading")}
          </p>
        )
      ) : list.length === 0 ? (
        <p className="quiet">{t(`remoteEditing.empty.${collection}`)}</p>
      ) : (
        <ul
          className="panel-rows service-rows"
          data-inset="true"
          aria-label={t(`remoteEditing.collections.${collection}`)}
        >
          {list.map((row) => (
            <ServiceRow
              key={idOf(row)}
              {...edited}
              collection={collection}
              row={row}
              queuedFields={queuedFieldsOf(open, collection, row)}
            />
          ))}
        </ul>
      )}
      {rows.hasNextPage ? (
        <Button
          variant="default"
          loading={rows.isFetchingNextPage}
          onClick={() => {
            rows.fetchNextPage().catch(notifyInternalError);
          }}
        >
          {t("remoteEditing.showMore")}
        </Button>
      ) : null}
    </Stack>
  );
}

/** Not for what was there at first. */
function useOnNews(known: string | undefined, onNews: () => void): void {
  const before = useRef(known);
  useEffect(() => {
    if (before.current !== undefined && before.current !== known) onNews();
    before.current = known;
  });
}
