// Normalisation of addresses as people type them.

import { expect, it } from "vitest";
import {
  serviceAddressOf,
  withScheme,
} from "../../../../renderer/manager/components/address.ts";

it("an address without a scheme gets the web's, also with a port", () => {
  expect(withScheme(" example.org/menu ")).toBe("https://example.org/menu");
  expect(withScheme("box:8080")).toBe("https://box:8080");
  expect(withScheme("http://box:8080")).toBe("http://box:8080");
});

it("the address of a content service loses the path of its interface", () => {
  for (const end of ["", "/v4", "/v4.1", "/v3", "/v3/", "/api/v3", "/api/v4.1"])
    expect(serviceAddressOf(`http://box:8080${end}`)).toBe("http://box:8080");
  expect(serviceAddressOf("box:8080/api/v4")).toBe("https://box:8080");
  expect(serviceAddressOf("https://a.org/signs/v4")).toBe(
    "https://a.org/signs",
  );
  for (const kept of ["https://a.org/api", "https://a.org/v5", "https://v4"])
    expect(serviceAddressOf(kept)).toBe(kept);
});
