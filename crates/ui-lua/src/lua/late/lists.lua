-- `lua.ViewList` and `lua.ViewListItem`: an array as a list of items, each with its element or a presenter of it.
local native = ...

local core = native.core
local _ENV <const> = native.std
local create, resolve = core.create, core.resolve

local Item = core.prototype(nil, "lua.ViewListItem", {})
local List = core.prototype(nil, "lua.ViewList", {})
-- Whatever file runs now, it did not declare them.
core.origin["lua.ViewListItem"], core.origin["lua.ViewList"] = nil, nil

-- Items are reused by position; a presenter is made anew only where the element is another one.
local function sync(list)
  local array, items, presenter = list.value, list.items, nil
  local name = list._presenter
  if name then
    presenter = resolve(name)
    if not presenter then
      error({ code = "not-found", text = "no item wrapper `" .. name .. "`: neither a prototype nor a global table" })
    end
  end
  local count = type(array) == "table" and rawlen(array) or 0
  for i = 1, count do
    local element, item = rawget(array, i), items[i]
    if not item or not rawequal(item.baseItem, element) then
      if not item then
        item = create(nil, Item, { index = i - 1, list = list })
      end
      item.baseItem = element
      if presenter then
        item.item = presenter.new(presenter, item)
      else
        item.item = element
      end
      items[i] = item
    end
  end
  for i = #items, count + 1, -1 do items[i] = nil end
end
core.sync_list = sync

function core.new_list(presenter)
  return create(nil, List, { items = {}, _presenter = presenter })
end

function List:new(variable)
  local list = variable:getWrapper()
  if list then return list end
  list = core.new_list(variable:getProperty("itemWrapper") or variable:getProperty("item"))
  list.value = variable:getValue()
  variable:setProperty("fallbackNamespace:high", "list-item")
  sync(list)
  return list
end

List.sync = sync

-- Takes the element at `index` (from 0) out of the array that is bound.
function List:removeAt(index)
  local array = self.value
  if type(array) ~= "table" or type(index) ~= "number" or index < 0 or index >= rawlen(array) then
    error("no item " .. tostring(index) .. " in the list", 2)
  end
  return remove(array, index + 1)
end

function Item:remove() return self.list:removeAt(self.index) end
