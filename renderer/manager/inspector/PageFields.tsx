// Request settings of a web page and how it is handled.

import type { ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import { NumberField, SwitchField, TextField } from "./Field.tsx";
import {
  mergeHeaderLines,
  readHeaderLines,
  showHeaderLines,
} from "./headers-text.ts";
import type { Details } from "./use-details.ts";

export function PageFields({
  details,
}: {
  readonly details: Details;
}): ReactNode {
  const { inspector } = texts;
  return (
    <>
      <NumberField
        {...{ details, name: "zoom_level", label: inspector.zoom }}
        placeholder="100"
      />
      <NumberField
        {...{ details, name: "refresh_interval_s", label: inspector.refresh }}
        placeholder={inspector.never}
        show={(seconds: number | null) => (seconds ? String(seconds) : "")}
      />
      <TextField
        {...{ details, name: "custom_headers", label: inspector.headers }}
        {...{ help: inspector.headersHelp, isLong: true }}
        show={showHeaderLines}
        merge={mergeHeaderLines}
        read={(text) => {
          const value = readHeaderLines(text);
          return value === null ? { wrong: inspector.headersWrong } : { value };
        }}
      />
      <TextField
        {...{ details, name: "user_agent", label: inspector.agent }}
        placeholder={inspector.agentHint}
      />
      <TextField
        {...{ details, name: "js_injection", label: inspector.script }}
        isLong
      />
      <SwitchField
        {...{ details, name: "nocache", label: inspector.nocache }}
      />
      <SwitchField
        {...{ details, name: "send_metadata", label: inspector.sendMetadata }}
      />
      <SwitchField
        {...{ details, name: "player_side_render" }}
        {...{ label: inspector.renderHere, help: inspector.renderHereHelp }}
      />
      <NumberField
        {...{ details, name: "screenshot_cache_seconds" }}
        {...{ label: inspector.cacheSeconds, placeholder: "300" }}
      />
      <SwitchField
        {...{ details, name: "skip_ssl_verify" }}
        label={inspector.skipCertificate}
        help={inspector.skipCertificateHelp}
      />
      <SwitchField
        {...{ details, name: "skip_asset_check", label: inspector.skipCheck }}
      />
    </>
  );
}
