/** Every component of Shoelace, each a file of its own that is fetched when a definition first uses it. */

export const COMPONENTS: Record<string, () => Promise<unknown>> = {
  "sl-alert": () => import("@shoelace-style/shoelace/dist/components/alert/alert.js"),
  "sl-animated-image": () =>
    import("@shoelace-style/shoelace/dist/components/animated-image/animated-image.js"),
  "sl-animation": () => import("@shoelace-style/shoelace/dist/components/animation/animation.js"),
  "sl-avatar": () => import("@shoelace-style/shoelace/dist/components/avatar/avatar.js"),
  "sl-badge": () => import("@shoelace-style/shoelace/dist/components/badge/badge.js"),
  "sl-breadcrumb": () =>
    import("@shoelace-style/shoelace/dist/components/breadcrumb/breadcrumb.js"),
  "sl-breadcrumb-item": () =>
    import("@shoelace-style/shoelace/dist/components/breadcrumb-item/breadcrumb-item.js"),
  "sl-button": () => import("@shoelace-style/shoelace/dist/components/button/button.js"),
  "sl-button-group": () =>
    import("@shoelace-style/shoelace/dist/components/button-group/button-group.js"),
  "sl-card": () => import("@shoelace-style/shoelace/dist/components/card/card.js"),
  "sl-carousel": () => import("@shoelace-style/shoelace/dist/components/carousel/carousel.js"),
  "sl-carousel-item": () =>
    import("@shoelace-style/shoelace/dist/components/carousel-item/carousel-item.js"),
  "sl-checkbox": () => import("@shoelace-style/shoelace/dist/components/checkbox/checkbox.js"),
  "sl-color-picker": () =>
    import("@shoelace-style/shoelace/dist/components/color-picker/color-picker.js"),
  "sl-copy-button": () =>
    import("@shoelace-style/shoelace/dist/components/copy-button/copy-button.js"),
  "sl-details": () => import("@shoelace-style/shoelace/dist/components/details/details.js"),
  "sl-dialog": () => import("@shoelace-style/shoelace/dist/components/dialog/dialog.js"),
  "sl-divider": () => import("@shoelace-style/shoelace/dist/components/divider/divider.js"),
  "sl-drawer": () => import("@shoelace-style/shoelace/dist/components/drawer/drawer.js"),
  "sl-dropdown": () => import("@shoelace-style/shoelace/dist/components/dropdown/dropdown.js"),
  "sl-format-bytes": () =>
    import("@shoelace-style/shoelace/dist/components/format-bytes/format-bytes.js"),
  "sl-format-date": () =>
    import("@shoelace-style/shoelace/dist/components/format-date/format-date.js"),
  "sl-format-number": () =>
    import("@shoelace-style/shoelace/dist/components/format-number/format-number.js"),
  "sl-icon": () => import("@shoelace-style/shoelace/dist/components/icon/icon.js"),
  "sl-icon-button": () =>
    import("@shoelace-style/shoelace/dist/components/icon-button/icon-button.js"),
  "sl-image-comparer": () =>
    import("@shoelace-style/shoelace/dist/components/image-comparer/image-comparer.js"),
  "sl-include": () => import("@shoelace-style/shoelace/dist/components/include/include.js"),
  "sl-input": () => import("@shoelace-style/shoelace/dist/components/input/input.js"),
  "sl-menu": () => import("@shoelace-style/shoelace/dist/components/menu/menu.js"),
  "sl-menu-item": () => import("@shoelace-style/shoelace/dist/components/menu-item/menu-item.js"),
  "sl-menu-label": () =>
    import("@shoelace-style/shoelace/dist/components/menu-label/menu-label.js"),
  "sl-mutation-observer": () =>
    import("@shoelace-style/shoelace/dist/components/mutation-observer/mutation-observer.js"),
  "sl-option": () => import("@shoelace-style/shoelace/dist/components/option/option.js"),
  "sl-popup": () => import("@shoelace-style/shoelace/dist/components/popup/popup.js"),
  "sl-progress-bar": () =>
    import("@shoelace-style/shoelace/dist/components/progress-bar/progress-bar.js"),
  "sl-progress-ring": () =>
    import("@shoelace-style/shoelace/dist/components/progress-ring/progress-ring.js"),
  "sl-qr-code": () => import("@shoelace-style/shoelace/dist/components/qr-code/qr-code.js"),
  "sl-radio": () => import("@shoelace-style/shoelace/dist/components/radio/radio.js"),
  "sl-radio-button": () =>
    import("@shoelace-style/shoelace/dist/components/radio-button/radio-button.js"),
  "sl-radio-group": () =>
    import("@shoelace-style/shoelace/dist/components/radio-group/radio-group.js"),
  "sl-range": () => import("@shoelace-style/shoelace/dist/components/range/range.js"),
  "sl-rating": () => import("@shoelace-style/shoelace/dist/components/rating/rating.js"),
  "sl-relative-time": () =>
    import("@shoelace-style/shoelace/dist/components/relative-time/relative-time.js"),
  "sl-resize-observer": () =>
    import("@shoelace-style/shoelace/dist/components/resize-observer/resize-observer.js"),
  "sl-select": () => import("@shoelace-style/shoelace/dist/components/select/select.js"),
  "sl-skeleton": () => import("@shoelace-style/shoelace/dist/components/skeleton/skeleton.js"),
  "sl-spinner": () => import("@shoelace-style/shoelace/dist/components/spinner/spinner.js"),
  "sl-split-panel": () =>
    import("@shoelace-style/shoelace/dist/components/split-panel/split-panel.js"),
  "sl-switch": () => import("@shoelace-style/shoelace/dist/components/switch/switch.js"),
  "sl-tab": () => import("@shoelace-style/shoelace/dist/components/tab/tab.js"),
  "sl-tab-group": () => import("@shoelace-style/shoelace/dist/components/tab-group/tab-group.js"),
  "sl-tab-panel": () => import("@shoelace-style/shoelace/dist/components/tab-panel/tab-panel.js"),
  "sl-tag": () => import("@shoelace-style/shoelace/dist/components/tag/tag.js"),
  "sl-textarea": () => import("@shoelace-style/shoelace/dist/components/textarea/textarea.js"),
  "sl-tooltip": () => import("@shoelace-style/shoelace/dist/components/tooltip/tooltip.js"),
  "sl-tree": () => import("@shoelace-style/shoelace/dist/components/tree/tree.js"),
  "sl-tree-item": () => import("@shoelace-style/shoelace/dist/components/tree-item/tree-item.js"),
  "sl-visually-hidden": () =>
    import("@shoelace-style/shoelace/dist/components/visually-hidden/visually-hidden.js"),
};
