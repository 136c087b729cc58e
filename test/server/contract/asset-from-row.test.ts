// Assets of a content service in the fields of version 2.

import { describe, expect, it } from "vitest";
import {
  assetFieldsToV3,
  assetFieldFromV3,
  assetFromRow,
} from "../../../server/contract/service-rows/asset-from-row.ts";

const image = {
  ...{ id: "01A", title: "Menu", type: "image", status: "finished" },
  ...{ mimetype: "image/png", md5: "a".repeat(32), source_size: 1200 },
};

describe("an asset of a content service", () => {
  it("[V3-179] has its file once it is processed, and its folder, from a row of either version", () => {
    const menus = { asset_groups: { title: "Menus" } };
    expect(assetFromRow({ ...image, ...menus }, 3)).toMatchObject({
      ...{ asset_id: "01A", name: "Menu", folder: "Menus", play_order: 3 },
      ...{ mimetype: "image", start_date: null, is_processing: false },
      stored: {
        is_downloading: false,
        file: { media_type: "image/png", size: 1200, length: null },
      },
    });
    const waiting = { ...image, status: "none", folder_name: "Menus" };
    expect(assetFromRow(waiting, 0)).toMatchObject({
      ...{ folder: "Menus", is_processing: true },
      stored: { is_downloading: true, file: null },
    });
  });

  it("[V3-179] says why it couldn't be processed", () => {
    const failed = { ...image, status: "error" };
    const reasonOf = (row: object) =>
      assetFromRow({ ...failed, ...row }, 0)?.metadata.error_message;
    expect(reasonOf({ processing_error: "No image." })).toBe("No image.");
    expect(reasonOf({})).toBe("The content service failed to process it.");
    expect(assetFromRow(image, 0)?.metadata).toEqual({});
  });

  it("[V3-179] has the settings of a page, and the length of a clip", () => {
    const page = {
      ...{ id: "01B", title: "", type: "web", status: "finished" },
      ...{ source_url: "https://menu.example.org/", js_injection: "go()" },
      ...{ headers: { "X-Site": "1" }, disable_verification: true },
    };
    expect(assetFromRow(page, 0)).toMatchObject({
      ...{ name: "menu.example.org/", uri: "https://menu.example.org/" },
      ...{ mimetype: "webpage", js_injection: "go()", skip_ssl_verify: true },
      ...{ custom_headers: { "X-Site": "1" }, stored: { file: null } },
    });
    const clip = { ...image, type: "video", mimetype: "video/mp4" };
    expect(assetFromRow({ ...clip, duration: 12.5 }, 0)?.stored).toMatchObject({
      duration: 0,
      file: { length: 12.5 },
    });
  });

  it("is none if it is a part of another, or a row without an identifier", () => {
    expect(assetFromRow({ ...image, type: "pdf-page" }, 0)).toBeNull();
    expect(assetFromRow({ ...image, type: "edge-app-file" }, 0)).toBeNull();
    expect(assetFromRow({ ...image, id: "../1" }, 0)).toBeNull();
  });

  it("is changed in the fields that version 3 has, whose errors come back under ours", () => {
    expect(
      assetFieldsToV3({ name: "Lunch", folder: "Menus", is_enabled: false }),
    ).toEqual({ title: "Lunch", folder_name: "Menus" });
    expect(assetFieldFromV3("folder_name")).toBe("folder");
    expect(assetFieldFromV3("metadata")).toBe("metadata");
  });
});
