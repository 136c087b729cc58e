// Site checks of displays, graphics and decodable codecs.

import { app, BrowserWindow, screen, type Display } from "electron";
import type { SiteDisplay } from "../../server/contract/site-check.ts";
import type { Config } from "../config.ts";
import type { CheckResult } from "../system/check-result.ts";

export function checkDisplays(config: Config): CheckResult {
  const displays = screen.getAllDisplays().map(sizeOf);
  if (displays.length === 0)
    return {
      verdict: "fault",
      fact: { code: "no-display" },
    };
  const isThere = config.display < displays.length;
  return {
    verdict: isThere ? "good" : "fault",
    fact: isThere
      ? { code: "displays", displays }
      : { code: "other-display", displays, configured: config.display },
  };
}

function sizeOf(display: Display): SiteDisplay {
  const { size, scaleFactor, displayFrequency } = display;
  return {
    width: Math.round(size.width * scaleFactor),
    height: Math.round(size.height * scaleFactor),
    rate: Math.round(displayFrequency),
  };
}

export function checkGraphics(): Promise<CheckResult> {
  const status = app.getGPUFeatureStatus();
  const isByCard = /^enabled/.test(status.gpu_compositing);
  const decodes = /^enabled/.test(status.video_decode);
  return Promise.resolve({
    verdict: isByCard ? "good" : "advice",
    fact: isByCard
      ? { code: "drawn-by-card", decodes }
      : { code: "drawn-by-processor" },
  });
}

const kinds = {
  "H.264": 'video/mp4; codecs="avc1.640028"',
  HEVC: 'video/mp4; codecs="hvc1.1.6.L120.90"',
  VP9: 'video/webm; codecs="vp9"',
  AV1: 'video/mp4; codecs="av01.0.08M.08"',
  AAC: 'audio/mp4; codecs="mp4a.40.2"',
  Opus: 'audio/webm; codecs="opus"',
};

/** Tested in a hidden page. */
export async function checkCodecs(): Promise<CheckResult> {
  const window = new BrowserWindow({
    show: false,
    webPreferences: { sandbox: true, contextIsolation: true },
  });
  try {
    await window.loadURL("data:text/html,<title>codecs</title>");
    const kindsJson = JSON.stringify(Object.values(kinds));
    const answers = (await window.webContents.executeJavaScript(
      `${kindsJson}.map((type) => MediaSource.isTypeSupported(type))`,
    )) as boolean[];
    const names = Object.keys(kinds);
    const plays = names.filter((_name, at) => answers[at] === true);
    const lacks = names.filter((_name, at) => answers[at] !== true);
    const needed = ["H.264", "AAC"].filter((name) => lacks.includes(name));
    return {
      verdict: needed.length > 0 ? "fault" : "good",
      fact:
        needed.length > 0
          ? { code: "decodes-too-little", plays, lacks, needed }
          : { code: "decodes", plays, lacks },
    };
  } finally {
    window.destroy();
  }
}
