// Editing in a cloud: what it has, by kind; renamed, switched, deleted and added to, with what is still on its way.

import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../../api.ts";
import { keyOf, operate, useAnswer } from "../../operations.ts";
import { Trouble } from "../../parts/Trouble.tsx";
import { texts } from "../../texts/texts.ts";
import { AddRow } from "./AddRow.tsx";
import { ChangeQueue } from "./ChangeQueue.tsx";
import { collections, idOf, type Collection } from "./cloud-row.ts";
import { CloudRow } from "./CloudRow.tsx";
import "../editing.css";

const words = texts.cloud.editing;

const pageSize = "100";
const queueEveryMs = 2_000;

export function CloudEditor({
  accountId,
}: {
  readonly accountId: string;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="kept-plans"
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open);
      }}
    >
      <summary>{words.title}</summary>
      {isOpen ? <Opened accountId={accountId} /> : null}
    </details>
  );
}

function Opened({ accountId }: { readonly accountId: string }): ReactNode {
  const [collection, setCollection] = useState<Collection>("playlists");
  const client = useQueryClient();
  const changes = useAnswer(
    "listSyncChanges",
    { parameters: { id: accountId } },
    { everyMs: queueEveryMs },
  );
  const open = (changes.data ?? []).filter(({ state }) => state !== "done");
  const rowsKey = ["listCloud", accountId, collection];
  const rows = useInfiniteQuery({
    // What has arrived since is read again.
    queryKey: [...rowsKey, open.length],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      operate("listCloud", {
        parameters: {
          ...{ id: accountId, collection, limit: pageSize },
          ...(pageParam === null ? {} : { after: pageParam }),
        },
      }),
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  });
  const askAgain = async (): Promise<void> => {
    await Promise.all([
      client.invalidateQueries({ queryKey: keyOf("listSyncChanges") }),
      client.invalidateQueries({ queryKey: rowsKey }),
    ]);
  };
  const list = rows.data?.pages.flatMap((page) => page.rows) ?? [];
  const edited = { accountId, onChanged: askAgain };
  return (
    <div className="cloud-editor">
      <p className="quiet">{words.about}</p>
      <SegmentedControl
        className="cloud-collections"
        aria-label={words.collection}
        data={collections.map((value) => ({
          ...{ value, label: words.collections[value] },
        }))}
        value={collection}
        onChange={(value) => {
          setCollection(value);
        }}
      />
      {open.length > 0 ? <ChangeQueue {...edited} changes={open} /> : null}
      {collection === "screens" ? null : (
        <AddRow key={collection} {...edited} collection={collection} />
      )}
      {rows.isError ? (
        <Trouble
          sentence={`${words.failed} ${words.failedCalm}`}
          reason={reasonOf(rows.error)}
          isTrying={rows.isFetching}
          onTryAgain={() => void rows.refetch()}
        />
      ) : rows.data === undefined ? (
        <p className="quiet after-a-moment" role="status">
          {words.asking}
        </p>
      ) : list.length === 0 ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <ul
          className="panel-rows cloud-rows"
          aria-label={words.collections[collection]}
        >
          {list.map((row) => (
            <CloudRow
              key={idOf(row)}
              {...edited}
              collection={collection}
              row={row}
            />
          ))}
        </ul>
      )}
      {rows.hasNextPage ? (
        <Button
          variant="default"
          loading={rows.isFetchingNextPage}
          onClick={() => void rows.fetchNextPage()}
        >
          {words.more}
        </Button>
      ) : null}
    </div>
  );
}
