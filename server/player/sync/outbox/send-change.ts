// Sends one change: reads first, sends once, and stops as a conflict with both versions if the service has changed.

import { outboxSentences } from "../../../contract/sentences/outbox-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { defaultDurationSeconds } from "../../../core/asset-limits.ts";
import {
  clashesOf,
  isAlreadySo,
  type CloudChange,
  type CloudFields,
} from "../../../core/sync-plan/outbox.ts";
import { RemoteError } from "../remote/remote-error.ts";
import {
  RemoteRejection,
  Unnamed,
  type CloudFile,
  type CloudWriter,
} from "./remote-writer.ts";

/** A conflict that only a person can resolve. */
export class Clash extends Error {
  readonly theirs: CloudFields | null;
  readonly clashes: readonly string[];

  constructor(
    message: string,
    theirs: CloudFields | null,
    clashes: readonly string[] = [],
  ) {
    super(message);
    this.name = "Clash";
    this.theirs = theirs;
    this.clashes = clashes;
  }
}

/** Saves the progress before the next step, so that a power cut does not repeat it. */
export type NoteStep = (
  step: Partial<Pick<CloudChange, "madeId" | "alikeBefore" | "begun">>,
) => void;

interface Item {
  readonly asset_id: string;
  readonly duration?: number | null;
}

/**
 * The change in what the service's version can store, and each item with its duration in seconds (V2-354). Throws like sendChange.
 */
export async function readyFor(
  writer: CloudWriter,
  change: CloudChange,
): Promise<CloudChange> {
  const fields = writer.asKept(change.fields);
  const base = change.base && writer.asKept(change.base);
  // An asset may have got its length in the meantime: a write that has begun is finished with the values it began with.
  if (change.begun) return { ...change, fields: change.begun, base };
  const items = fields["items"] as readonly Item[] | undefined;
  const unset = items?.filter(({ duration }) => duration == null) ?? [];
  if (!items || unset.length === 0) return { ...change, fields, base };
  const mediaSeconds = await writer.mediaSeconds(
    unset.map((item) => item.asset_id),
  );
  const withSeconds = items.map((item) => ({
    ...item,
    duration:
      item.duration ??
      mediaSeconds.get(item.asset_id) ??
      defaultDurationSeconds,
  }));
  return { ...change, fields: { ...fields, items: withSeconds }, base };
}

/** Progress with another service says nothing about this one (V2-344). */
export function begunAt(
  address: string,
  { sentTo }: CloudChange,
): Partial<CloudChange> {
  const isSame = sentTo === null || sentTo === address;
  return isSame
    ? { sentTo: address }
    : { sentTo: address, madeId: null, alikeBefore: null, begun: null };
}

/** Throws Clash, RemoteRejection or a RemoteError; returns the service's identifier of what was created. */
export function sendChange(
  writer: CloudWriter,
  change: CloudChange,
  file: CloudFile | null,
  note: NoteStep,
): Promise<string | null> {
  switch (change.action) {
    case "create":
      return create(writer, change, file, note);
    case "change":
      return write(writer, change, note);
    case "delete":
      return remove(writer, change);
  }
}

async function create(
  writer: CloudWriter,
  change: CloudChange,
  file: CloudFile | null,
  note: NoteStep,
): Promise<string> {
  const { collection, fields, alikeBefore } = change;
  const { file: _, ...rest } = fields;
  const known = change.madeId ?? (await madeBefore(writer, change, note));
  const id =
    known ??
    (await writer.create(collection, rest, file).catch((error: unknown) => {
      if (isNo(error)) note({ alikeBefore: null });
      throw error;
    }));
  note({ madeId: id, alikeBefore });
  // What the creation set may have been changed by someone else since then (V2-833).
  const hasFile = change.fields["file"] !== undefined;
  const left = writer.leftAfterCreation(collection, rest, hasFile);
  if (await writer.write(collection, id, left)) return id;
  // If the operator keeps this change, the object is created again.
  note({ madeId: null, alikeBefore: null });
  throw deletedThere();
}

/** Nothing was created: a row of that name that appears later belongs to someone else (V2-344). */
function isNo(error: unknown): boolean {
  if (error instanceof RemoteError) return error.code === "unauthorized";
  return error instanceof RemoteRejection && !(error instanceof Unnamed);
}

/**
 * The service accepts no identifiers of ours: a row that looks like it and was not there before is the result of a request whose
 * response was lost (V2-313).
 */
async function madeBefore(
  writer: CloudWriter,
  change: CloudChange,
  note: NoteStep,
): Promise<string | null> {
  const { collection, fields, alikeBefore } = change;
  const alike = await writer.alike(collection, fields);
  if (alikeBefore === null) {
    note({ alikeBefore: alike });
    return null;
  }
  const fresh = alike.filter((id) => !alikeBefore.includes(id));
  if (fresh.length > 1)
    throw new Clash(outboxSentences["several-alike"], { ids: fresh });
  return fresh[0] ?? null;
}

async function write(
  writer: CloudWriter,
  change: CloudChange,
  note: NoteStep,
): Promise<null> {
  const { collection, fields } = change;
  const target = change.target ?? "";
  const theirs = await writer.one(collection, target);
  if (theirs === null) throw deletedThere();
  if (isAlreadySo(change, theirs)) return null;
  const clashes = clashesOf(change, theirs);
  if (clashes.length > 0)
    throw new Clash(
      composeSentence(outboxSentences["changed-too"], {
        fields: clashes.join(", "),
      }),
      theirs,
      clashes,
    );
  // The write may take several steps: if it is interrupted, the part already written is no conflict (V2-349).
  if (change.begun === null) note({ begun: fields });
  if (!(await writer.write(collection, target, fields))) throw deletedThere();
  return null;
}

function deletedThere(): Clash {
  return new Clash(outboxSentences.deleted, null);
}

async function remove(writer: CloudWriter, change: CloudChange): Promise<null> {
  const target = change.target ?? "";
  const theirs = await writer.one(change.collection, target);
  if (theirs === null) return null;
  const clashes = clashesOf(change, theirs);
  if (clashes.length > 0)
    throw new Clash(
      composeSentence(outboxSentences["changed-too"], {
        fields: clashes.join(", "),
      }),
      theirs,
      clashes,
    );
  await writer.remove(change.collection, target);
  return null;
}
