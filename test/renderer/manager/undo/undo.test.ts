// Undo: by the button of a notice until the same is changed again, by Ctrl+Z in reverse order.

import { notificationsStore } from "@mantine/notifications";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type * as Undo from "../../../../renderer/manager/undo/undo.ts";

let undo: typeof Undo;
const undone: string[] = [];

beforeEach(async () => {
  vi.unstubAllGlobals();
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  vi.resetModules();
  undo = await import("../../../../renderer/manager/undo/undo.ts");
  undone.length = 0;
  notificationsStore.setState((state) => ({ ...state, notifications: [] }));
});

const undoing = (name: string) => () => Promise.resolve(undone.push(name));

/** Actions whose notice still offers undo. */
function offered(): readonly unknown[] {
  const { notifications } = notificationsStore.getState();
  return notifications
    .filter(({ message }) => message !== "")
    .map(({ title }) => title);
}

describe("the button of a notice", () => {
  it("is withdrawn once the same was changed again; Ctrl+Z still reaches the action in its turn", async () => {
    undo.notifyUndoable("taken out", undoing("taken out"), null, ["a items"]);
    undo.notifyUndoable("renamed", undoing("renamed"), null, ["a name"]);
    undo.notifyUndoable("of another", undoing("of another"), null, ["b items"]);
    expect(offered()).toEqual(["taken out", "renamed", "of another"]);
    undo.rememberUndo("timed", undoing("timed"), ["a items"]);
    expect(offered()).toEqual(["renamed", "of another"]);
    for (let times = 0; times < 4; times += 1) await undo.undoLast();
    expect(undone).toEqual(["timed", "of another", "renamed", "taken out"]);
  });

  it("stays while the same action continues", () => {
    // However long this machine takes for it.
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(Date.now());
    for (let times = 0; times < 3; times += 1)
      undo.notifyUndoable("moved", undoing("moved"), "moved 1", ["a items"]);
    expect(offered()).toEqual(["moved"]);
  });
});

const titles = () =>
  notificationsStore.getState().notifications.map(({ title }) => title);

describe("an action that cannot be undone", () => {
  it("is named by Ctrl+Z with the action before it, which only the next press undoes", async () => {
    undo.rememberUndo("renamed", undoing("renamed"));
    undo.noteFinal("Sound off");
    await undo.undoLast();
    expect(undone).toEqual([]);
    const [notice] = notificationsStore.getState().notifications;
    expect(notice).toMatchObject({
      ...{ title: "Can’t undo: Sound off", message: "Before that: renamed" },
    });
    await undo.undoLast();
    expect(undone).toEqual(["renamed"]);
  });

  it.each(["takeOver", "endTakeover", "pausePlayback", "createToken"] as const)(
    "is recorded for %s, on any page, but not when it was rejected",
    async (name) => {
      const { operate } =
        await import("../../../../renderer/manager/api/operations.ts");
      let isDone = false;
      const answer = () =>
        Promise.resolve(
          isDone
            ? { isDone, answer: null }
            : { isDone, code: "invalid", message: "no", fields: null },
        );
      vi.stubGlobal("window", { manager: { operate: answer } });
      undo.rememberUndo("renamed", undoing("renamed"));
      undo.rememberUndo("moved", undoing("moved"));
      await expect(operate(name, {})).rejects.toThrow("no");
      await undo.undoLast();
      expect(undone).toEqual(["moved"]);
      isDone = true;
      await operate(name, {});
      await undo.undoLast();
      expect(undone).toEqual(["moved"]);
    },
  );
});

describe("an action that this version cannot take back", () => {
  it("is reported without a word of the program", async () => {
    undo.rememberUndo("renamed", { kind: "of an older version", data: null });
    await undo.undoLast();
    const { notifications } = notificationsStore.getState();
    expect(notifications).toMatchObject([
      { message: "This can no longer be undone." },
    ]);
  });
});

describe("an action on another page", () => {
  const open = (hash: string) => {
    vi.stubGlobal("location", { hash });
  };
  const requests = async () => {
    const { createElement } = await import("react");
    const { renderToStaticMarkup } = await import("react-dom/server");
    const seen: ReturnType<typeof undo.useUndoQuestion>[] = [];
    const Page = (): null => {
      seen.push(undo.useUndoQuestion());
      return null;
    };
    renderToStaticMarkup(createElement(Page));
    return seen.at(-1) ?? null;
  };

  it("is confirmed by its name and page, and undone only after the confirmation", async () => {
    open("#/playlists/one");
    undo.rememberUndo("renamed", undoing("renamed"));
    open("#/now");
    await undo.undoLast();
    expect(undone).toEqual([]);
    expect(await requests()).toMatchObject({
      ...{ sentence: "renamed", page: "playlists" },
    });
    (await requests())?.answer(false);
    expect(await requests()).toBeNull();
    await undo.undoLast();
    (await requests())?.answer(true);
    await expect.poll(() => undone).toEqual(["renamed"]);
  });

  it("belongs to the page on which it was started, whichever is open when it is answered", async () => {
    const { operate } =
      await import("../../../../renderer/manager/api/operations.ts");
    let answer: (outcome: unknown) => void = () => undefined;
    const answered = new Promise((resolve) => {
      answer = resolve;
    });
    vi.stubGlobal("window", { manager: { operate: () => answered } });
    open("#/playlists/one");
    const change = operate("changePlaylist", {
      ...{ parameters: { id: "one" }, body: { name: "renamed" } },
    });
    open("#/now");
    answer({ isDone: true, answer: null });
    await change;
    undo.rememberUndo("renamed", undoing("renamed"));
    await undo.undoLast();
    expect(undone).toEqual([]);
    expect(await requests()).toMatchObject({ page: "playlists" });
    (await requests())?.answer(false);
    open("#/now");
    undo.rememberUndo("moved", undoing("moved"));
    await undo.undoLast();
    expect(undone).toEqual(["moved"]);
  });

  it("is undone at once by the button of its notice, and once back on its page", async () => {
    open("#/playlists/one");
    undo.rememberUndo("renamed", undoing("renamed"));
    open("#/playlists/two");
    await undo.undoLast();
    expect(undone).toEqual(["renamed"]);
  });
});

describe("a reload of the window, for example for another language", () => {
  const storage = (kept: Map<string, string>) => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });

  it("keeps the undo steps stored as data, and reports that the others are lost", async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("sessionStorage", storage(kept));
    const leaving: (() => void)[] = [];
    vi.stubGlobal("addEventListener", (_: string, leave: () => void) => {
      leaving.push(leave);
    });
    const load = async () => {
      vi.resetModules();
      undo = await import("../../../../renderer/manager/undo/undo.ts");
      return undo.defineUndo<string>("of a test", (name) =>
        Promise.resolve(undone.push(name)),
      );
    };
    const before = await load();
    undo.rememberUndo("renamed", before("renamed"));
    undo.rememberUndo("a function", undoing("a function"));
    for (const leave of leaving.splice(0)) leave();
    await load();
    expect(kept.size).toBe(0);
    await undo.undoLast();
    expect(undone).toEqual([]);
    expect(titles()).toContain("Can’t undo: a function");
    await undo.undoLast();
    expect(undone).toEqual(["renamed"]);
  });

  it("loads the page that defines an undo step which is not loaded yet, and never reports as undone what was not", async () => {
    const action = (sentence: string, kind: string) => ({
      ...{ id: sentence, sentence, undo: { kind, data: sentence } },
      ...{ page: "now", topic: null, fields: [], lastAt: 0 },
    });
    const kept = new Map([
      [
        "vitrine-actions",
        JSON.stringify([action("unknown", "never"), action("renamed", "late")]),
      ],
    ]);
    vi.stubGlobal("sessionStorage", storage(kept));
    vi.resetModules();
    undo = await import("../../../../renderer/manager/undo/undo.ts");
    undo.loadKindsBy(() => {
      undo.defineUndo<string>("late", (name) =>
        Promise.resolve(undone.push(name)),
      );
      return Promise.resolve();
    });
    await undo.undoLast();
    expect(undone).toEqual(["renamed"]);
    await undo.undoLast();
    expect(titles()).toContain("Undone: renamed");
    expect(titles()).toContain("Couldn’t undo: unknown");
    expect(titles()).not.toContain("Undone: unknown");
  });

  it("waits for a change that is not answered yet", async () => {
    const { operate } =
      await import("../../../../renderer/manager/api/operations.ts");
    const { changeLanguage } =
      await import("../../../../renderer/manager/settings/change-language.ts");
    const kept = new Map<string, string>();
    const events: string[] = [];
    let answer = (_: unknown): void => undefined;
    vi.stubGlobal("window", {
      manager: { operate: () => new Promise((resolve) => (answer = resolve)) },
      localStorage: storage(kept),
      location: { reload: () => events.push("reloaded") },
    });
    const renamed = operate("changeAsset", {
      ...{ parameters: { id: "1" }, body: {} },
    }).then(() => events.push("answered"));
    const changed = changeLanguage("de");
    await new Promise((resolve) => setTimeout(resolve));
    expect(events).toEqual([]);
    answer({ isDone: true, answer: null });
    await Promise.all([renamed, changed]);
    expect(events).toEqual(["answered", "reloaded"]);
    expect([...kept.values()]).toEqual(["de"]);
  });
});

describe("Ctrl+Z", () => {
  const bridge = (
    operate: (requests: { readonly operation: string }) => Promise<unknown>,
  ) => {
    vi.stubGlobal("window", { manager: { operate } });
  };
  const done = { isDone: true, answer: null };

  it("does not wait for a backup or a sync", async () => {
    const { operate } =
      await import("../../../../renderer/manager/api/operations.ts");
    bridge(() => new Promise(() => undefined));
    void operate("makeBackup", {});
    void operate("runSync", { body: {} });
    void operate("applySync", { body: {} });
    undo.rememberUndo("renamed", undoing("renamed"));
    await undo.undoLast();
    expect(undone).toEqual(["renamed"]);
  });

  it("undoes one action, however often it is pressed while a change is pending", async () => {
    const { operate } =
      await import("../../../../renderer/manager/api/operations.ts");
    let answer = (_: unknown): void => undefined;
    bridge(() => new Promise((resolve) => (answer = resolve)));
    for (const name of ["first", "second"])
      undo.rememberUndo(name, undoing(name));
    const change = operate("changeAsset", {
      ...{ parameters: { id: "1" }, body: {} },
    });
    const first = undo.undoLast();
    await Promise.resolve();
    await undo.undoLast();
    await undo.undoLast();
    expect(undone).toEqual([]);
    answer(done);
    await Promise.all([change, first]);
    expect(undone).toEqual(["second"]);
  });

  it("waits until the undo step of a multi-step change is known, and undoes that", async () => {
    const { noteChange } =
      await import("../../../../renderer/manager/api/operations.ts");
    const { goBack } =
      await import("../../../../renderer/manager/connections/plans/apply-plan.ts");
    const requests: string[] = [];
    let answerPlans = (_: unknown): void => undefined;
    bridge(({ operation }) => {
      requests.push(operation);
      if (operation === "rollBackSync") return Promise.resolve(done);
      return new Promise((resolve) => (answerPlans = resolve));
    });
    undo.rememberUndo("before", undoing("before"));
    const wentBack = noteChange(goBack("one")).then(() => {
      undo.rememberUndo("went back", undoing("went back"));
    });
    const pressed = undo.undoLast();
    await expect.poll(() => requests).toContain("readSyncPlan");
    // Long enough for callers that do not wait.
    await new Promise((resolve) => setTimeout(resolve));
    expect(undone).toEqual([]);
    answerPlans({ isDone: true, answer: [] });
    await Promise.all([wentBack, pressed]);
    expect(undone).toEqual(["went back"]);
  });

  it("undoes one action per press, also while an undo is running", async () => {
    let goOn = (): void => undefined;
    undo.rememberUndo("first", undoing("first"));
    const begun = new Promise<void>((resolve) => {
      undo.rememberUndo("slow", async () => {
        resolve();
        await new Promise<void>((resolve) => (goOn = resolve));
        undone.push("slow");
      });
    });
    const slow = undo.undoLast();
    await begun;
    const next = undo.undoLast();
    goOn();
    await Promise.all([slow, next]);
    expect(undone).toEqual(["slow", "first"]);
  });
});
