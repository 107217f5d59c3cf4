/** Whether text can be read against what is behind it. */

import type { Page } from "playwright-core";

/** Texts whose colour is too near to what is behind them, worked out from what the browser draws. */
export function faint(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const paint = (...layers: string[]): number[] => {
      if (!canvas) return [];
      canvas.clearRect(0, 0, 1, 1);
      for (const layer of layers) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (rgb: number[]) => {
      const [r = 0, g = 0, b = 0] = rgb.map((part) => {
        const c = part / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element): string[] => {
      const layers: string[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) {
        layers.unshift(getComputedStyle(at).backgroundColor);
      }
      return [getComputedStyle(document.body).backgroundColor, ...layers];
    };
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element?.checkVisibility() || (node.textContent ?? "").trim() === "") continue;
      if (element.closest(".visually-hidden, .skip, noscript, script")) continue;
      const layers = behind(element);
      const [a, b] = [
        light(paint(...layers)),
        light(paint(...layers, getComputedStyle(element).color)),
      ];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) {
        found.push(
          `${ratio.toFixed(2)} ${element.className}: ${(node.textContent ?? "").slice(0, 40)}`,
        );
      }
    }
    return [...new Set(found)];
  });
}
