// What the screen shows first: files, an address, a cloud, or what was kept elsewhere.

import { IconArchive, IconCloud } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useAssets } from "../api.ts";
import { AddFilesButton } from "../intake/AddFilesButton.tsx";
import { AddPageForm } from "../library/AddPageForm.tsx";
import { goTo } from "../place.ts";
import { texts } from "../texts/texts.ts";

export function ContentStep({
  onGo,
}: {
  readonly onGo: () => void;
}): ReactNode {
  const count = useAssets().data?.length ?? 0;
  return (
    <div className="content-step">
      <p className="first-run-question">{texts.firstRun.contentAsk}</p>
      <div className="content-drop">
        <p>{texts.firstRun.drop}</p>
        <div className="content-ways">
          <AddFilesButton />
          <AddPageForm />
        </div>
        <p role="status" className="content-count">
          {count > 0 ? texts.firstRun.playing(count) : null}
        </p>
      </div>
      <div className="content-others">
        <button
          type="button"
          className="content-other"
          onClick={() => {
            goTo("cloud");
            onGo();
          }}
        >
          <IconCloud size={24} stroke={1.5} aria-hidden />
          <span>
            <strong>{texts.firstRun.cloud}</strong>
            <span className="quiet">{texts.firstRun.cloudSays}</span>
          </span>
        </button>
        <button
          type="button"
          className="content-other"
          onClick={() => {
            goTo("settings", "backup");
            onGo();
          }}
        >
          <IconArchive size={24} stroke={1.5} aria-hidden />
          <span>
            <strong>{texts.firstRun.restore}</strong>
            <span className="quiet">{texts.firstRun.restoreSays}</span>
          </span>
        </button>
      </div>
    </div>
  );
}
