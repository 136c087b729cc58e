// What the main process requests from the player for the pages it shows: screen facts, and the content of an app.

export type { WebOptions } from "../core/asset.ts";

/** The identity of the screen, as sent to pages and apps. */
export interface ScreenFacts {
  readonly hostname: string;
  readonly screenName: string;
  /** Its location in words; empty when unknown. */
  readonly location: string;
  /** Latitude and longitude; null when unknown. */
  readonly coordinates: readonly [number, number] | null;
  readonly hardware: string;
  readonly version: string;
  /** The groups of the screen. */
  readonly groups: readonly string[];
}

/** The context in which a page is shown, besides its own options. */
export interface PageContext {
  readonly screen: ScreenFacts;
  /** Set by the operator for all addresses. */
  readonly isAnyCertificateTaken: boolean;
}

/** An app as it is shown. */
export interface AppOnScreen {
  readonly entry:
    | { readonly kind: "file"; readonly path: string }
    | {
        readonly kind: "remote";
        readonly url: string;
        /** The app's own script, run in the remote page with access to its settings; null without one. */
        readonly script: string | null;
      };
  /** Stays hidden until it signals that it can be shown. */
  readonly waitsForSignal: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** By the path inside the app: path of the stored bytes, and media type. */
  readonly files: ReadonlyMap<
    string,
    { readonly path: string; readonly type: string }
  >;
}
