// A secret that is shown this once, until somebody says it is kept.

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import { CopyButton } from "./CopyButton.tsx";
import "./secret-once.css";

const words = texts.settings.tokens;

export function SecretOnce(props: {
  readonly title: string;
  readonly secret: string;
  /** Not where it only comes back into sight. */
  readonly takesFocus: boolean;
  readonly onKept: () => void;
}): ReactNode {
  return (
    <div className="secret-once" role="group" aria-label={props.title}>
      <p className="secret-title">{props.title}</p>
      <p className="quiet">{words.madeOnce}</p>
      <div className="secret-line">
        <code dir="ltr" data-secret>
          {props.secret}
        </code>
        <CopyButton
          text={props.secret}
          label={words.copy}
          autoFocus={props.takesFocus}
        />
        <Button onClick={props.onKept}>{words.keptIt}</Button>
      </div>
    </div>
  );
}
