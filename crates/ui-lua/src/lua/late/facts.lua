-- What the types of a session have: for audits of view definitions, which cannot look into objects themselves.
local core = ...

local _ENV <const> = core.std
local EMPTY = core.EMPTY
-- Views may show the lists that are built in, used or not.
core.resolve("lua.ViewList")

-- Instances that are looked at for the fields that nobody declared.
local SAMPLE <const> = 20

-- The kind of a value, and the type of what it holds.
local function shape(value)
  if value == nil or rawequal(value, EMPTY) then return "unknown" end
  if type(value) ~= "table" then return "plain" end
  if core.is_array(value) then
    local first = rawget(value, 1)
    return "list", type(first) == "table" and core.type_of(first) or nil
  end
  -- An empty table may become a list yet.
  if next(value) == nil and core.type_of(value) == nil then return "unknown" end
  return "object", core.type_of(value)
end

-- Rows of { type, what, name, kind, inner }; `what` is "field", "method", or "open" for a type whose fields nobody declared.
local function facts()
  local rows = {}

  local function see(name, fields, methods, key, value)
    if type(key) ~= "string" or (byte(key, 1) == 95 and byte(key, 2) == 95) then return end
    if type(value) == "function" then
      if not methods[key] then
        methods[key] = true
        rows[#rows + 1] = { name, "method", key }
      end
      return
    end
    local kind, inner = shape(value)
    local known = fields[key]
    if not known then
      known = { name, "field", key, kind, inner }
      fields[key], rows[#rows + 1] = known, known
    elseif known[4] == "unknown" then
      known[4], known[5] = kind, inner
    elseif kind ~= "unknown" and (known[4] ~= kind or known[5] ~= inner) then
      known[4], known[5] = "unknown", nil
    end
  end

  for name, prototype in next, core.prototypes do
    local fields, methods, own = {}, {}, prototype
    local count = 0
    for instance in next, core.instances[prototype] or {} do
      count = count + 1
      if count > SAMPLE then break end
      for key, value in next, instance do see(name, fields, methods, key, value) end
    end
    local is_open = next(core.declared[prototype] or {}) == nil
    local depth = 0
    while type(own) == "table" and depth < 32 do
      for key, value in next, core.declared[own] or {} do see(name, fields, methods, key, value) end
      for key, value in next, own do see(name, fields, methods, key, value) end
      local index = rawget(own, "__index")
      if index ~= nil and not rawequal(index, own) then is_open = true end
      own, depth = getmetatable(own), depth + 1
    end
    if is_open then rows[#rows + 1] = { name, "open", "" } end
  end
  return rows
end

return facts()
