-- Objects and types: which table has which id, what type a table is of, which table a type's name means.
--
-- `core` carries what the parts of the VM share. User code never sees it, and nothing here calls user code.
local native, core = ...

local G = native.G
local _ENV <const> = native.std
native.core, core.std = core, _ENV

-- Ids: the first is 2, none is used again, and an object that nobody else holds is forgotten.
local ids = setmetatable({}, { __mode = "k" })
local objects = setmetatable({}, { __mode = "v" })
local next_id = 2
core.ids, core.objects = ids, objects

function core.id_of(object)
  local id = ids[object]
  if not id then
    id = next_id
    next_id = id + 1
    ids[object], objects[id] = id, object
  end
  return id
end

-- The `type` of the metatable, else the table's own, else that of a table it inherits from.
function core.type_of(object)
  local meta = getmetatable(object)
  if type(meta) == "table" then
    local name = rawget(meta, "type")
    if type(name) == "string" then return name end
  else
    meta = nil
  end
  local name = rawget(object, "type")
  if type(name) == "string" then return name end
  for _ = 1, 16 do
    local base = meta and rawget(meta, "__index")
    if type(base) ~= "table" then return nil end
    name = rawget(base, "type")
    if type(name) == "string" then return name end
    meta = getmetatable(base)
    if type(meta) ~= "table" then return nil end
  end
end

-- An array has a positive integer key and no visible string key. Its type was looked at before.
function core.is_array(object)
  local array = false
  for key in next, object do
    local kind = type(key)
    if kind == "string" then
      if byte(key) ~= 95 then return false end
    elseif kind == "number" and key >= 1 and key % 1 == 0 then
      array = true
    end
  end
  return array
end

-- Prototypes by name, and what was registered for the same use.
-- The two for lists are made when somebody asks for them.
local prototypes, registered, has_lists = {}, {}, false
setmetatable(prototypes, { __index = function(_, name)
  if (name == "lua.ViewList" or name == "lua.ViewListItem") and not has_lists then
    has_lists = true
    local ok, fault = pcall(native.part("lists"), native)
    if not ok then
      has_lists = false
      error(fault, 0)
    end
    return rawget(prototypes, name)
  end
end })
core.prototypes, core.registered = prototypes, registered

-- The table that `wrapper`, `itemWrapper` and `create` name: a prototype, a registered table, or a global.
function core.resolve(name)
  local found = prototypes[name] or registered[name] or rawget(G, name)
  if type(found) == "table" then return found end
  local at, from = G, 1
  while type(at) == "table" do
    local dot = find(name, ".", from, true)
    at = rawget(at, sub(name, from, dot and dot - 1))
    if not dot then break end
    from = dot + 1
  end
  if type(at) == "table" then return at end
end

-- What an error says, and its traceback, for a handler of `xpcall`. An object may say it itself, if it can.
function core.explain(fault)
  if type(fault) == "table" then
    local ok, text = pcall(tostring, fault)
    if ok and getmetatable(fault) ~= nil and type(text) == "string" then
      fault = text
    else
      fault = "(error object is a table value)"
    end
  end
  return native.explain(fault)
end

-- Notes an error that ends nothing. A handler of `xpcall`.
function core.report(fault) native.report(core.explain(fault)) end

-- Runs an entry, inside a coroutine that the hook may leave. An error is a table of its text and traceback.
local function explained(fault)
  local text, trace = core.explain(fault)
  return { text, trace }
end
function core.enter(f, ...) return xpcall(f, explained, ...) end
