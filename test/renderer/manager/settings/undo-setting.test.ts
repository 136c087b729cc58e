// Undo of a changed setting: only the notice of its latest change offers it.

import { notificationsStore } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import type { SettingsEditor } from "../../../../renderer/manager/settings/use-settings.ts";
import { stubWindow } from "../../../support/manager/stub-window.ts";

interface OperationCall {
  readonly operation: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

async function settingsOver(kept: Record<string, unknown>) {
  const operate = ({ operation, body }: OperationCall) => {
    if (operation === "changeSettings") Object.assign(kept, body);
    return Promise.resolve({ isDone: true, answer: { ...kept } });
  };
  stubWindow(operate);
  vi.resetModules();
  const { createQuestions } =
    await import("../../../../renderer/manager/api/fresh-query-client.ts");
  const { keyOf } =
    await import("../../../../renderer/manager/api/operations.ts");
  const { settingNamed } =
    await import("../../../../renderer/manager/settings/setting-sections.ts");
  const { useSettings } =
    await import("../../../../renderer/manager/settings/use-settings.ts");
  const client = createQuestions();
  const drawn: SettingsEditor[] = [];
  const Page = (): null => {
    drawn.push(useSettings());
    return null;
  };
  renderToStaticMarkup(
    createElement(QueryClientProvider, { client }, createElement(Page)),
  );
  return async (wireName: string, value: unknown): Promise<void> => {
    client.setQueryData(keyOf("readSettings", {}), { ...kept });
    const setting = settingNamed(wireName);
    if (!setting) throw new Error(`There is no ${wireName}.`);
    expect(await drawn[0]?.change(setting, value)).toEqual({ isSaved: true });
  };
}

describe("a setting that is changed twice", () => {
  it("is undone by the later notice only: the button of the earlier one would discard the later change", async () => {
    const change = await settingsOver({ volume: 50, muted: false });
    await change("volume", 60);
    await change("muted", true);
    await change("volume", 80);
    const { notifications } = notificationsStore.getState();
    expect(
      notifications
        .filter(({ message }) => message !== "")
        .map(({ title }) => title),
    ).toEqual(["Mute: On", expect.stringMatching(/80/)]);
  });
});
