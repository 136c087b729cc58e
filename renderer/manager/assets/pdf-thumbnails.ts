// Thumbnails of PDFs: drawn in an invisible iframe, with the same code as on the screen.

import type { PreviewOrder, PreviewReport } from "../../preview/main.ts";

const frameOrigin = "app://playback";
/** A PDF that is hard to read is abandoned; the next one gets another iframe. */
const timeoutMs = 15_000;

let frame: Promise<HTMLIFrameElement> | null = null;

/** Returns a `data:` URL; rejects when no thumbnail can be made. One at a time. */
export async function thumbnailOfPdf(
  fileUrl: string,
  longestSide: number,
): Promise<string> {
  frame ??= openFrame();
  const drawer = await frame;
  const answer = nextReport(drawer, (report) =>
    report.report === "thumbnail" && report.fileUrl === fileUrl ? report : null,
  );
  const order: PreviewOrder = {
    order: "thumbnail",
    value: { fileUrl, longestSide },
  };
  drawer.contentWindow?.postMessage(order, frameOrigin);
  try {
    const { dataUrl } = await answer;
    if (dataUrl === null) throw new Error("This PDF has no image.");
    return dataUrl;
  } catch (error) {
    drawer.remove();
    frame = null;
    throw error;
  }
}

async function openFrame(): Promise<HTMLIFrameElement> {
  const drawer = document.createElement("iframe");
  // Not `hidden`: drawing waits for animation frames, and only what lies in the page gets any.
  drawer.className = "pdf-drawer";
  drawer.tabIndex = -1;
  drawer.ariaHidden = "true";
  drawer.src = `${frameOrigin}/preview-page.html`;
  document.body.append(drawer);
  await nextReport(drawer, (report) =>
    report.report === "started" ? report : null,
  );
  return drawer;
}

function nextReport<Report extends PreviewReport>(
  drawer: HTMLIFrameElement,
  find: (report: PreviewReport) => Report | null,
): Promise<Report> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(late);
      window.removeEventListener("message", listen);
    };
    const late = setTimeout(() => {
      end();
      reject(new Error("The frame does not answer."));
    }, timeoutMs);
    const listen = (event: MessageEvent<PreviewReport>): void => {
      if (event.source !== drawer.contentWindow) return;
      if (event.origin !== frameOrigin) return;
      const answer = find(event.data);
      if (answer === null) return;
      end();
      resolve(answer);
    };
    window.addEventListener("message", listen);
  });
}
