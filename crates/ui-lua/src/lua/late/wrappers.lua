-- Wrappers, the hidden lists of `itemWrapper`, and what `create` makes: variables that show something other than what they read.
-- See `late` in `sandbox.lua`, and `walk.lua`, whose tables these are.
local native, known = ...
local core = native.core
local _ENV <const> = native.std
local var, raw, tab, TABLE, NEVER, type_name, props, wrapper, wrapper_name, item_name, list, create_name, made, made_from, handles =
  core.slots()
local resolve = core.resolve

-- What a wrapper is given of its variable.
local Variable = { __metatable = false }
Variable.__index = Variable
local current = {}  -- slot -> value that a wrapper is being made for

function Variable:getId() return var[self.slot] end
function Variable:getWrapper() return wrapper[self.slot] end
function Variable:getValue()
  local s = self.slot
  if current[s] ~= nil then return current[s] end
  if raw[s] == TABLE then return tab[s] end
  if type(raw[s]) ~= "function" then return raw[s] end
end
function Variable:getProperty(name)
  local s = self.slot
  if name == "type" then return type_name[s] end
  local own = props[s]
  return own and own[name]
end
function Variable:setProperty(name, value)
  if var[self.slot] then
    native.request_property(var[self.slot], tostring(name), value == nil and "" or tostring(value))
  end
end

local function handle(s)
  local h = handles[s]
  if not h then
    h = setmetatable({ slot = s }, Variable)
    handles[s] = h
  end
  return h
end

local function release(object)
  if object == nil then return end
  xpcall(function()
    local destroy = object.destroy
    if destroy then destroy(object) end
  end, core.report)
end
known.release = release

-- The wrapper of a variable for its new value. Not again for one that failed: what it shows is as it was.
function known.refresh(s, value)
  local old = wrapper[s]
  if value == nil then
    wrapper[s] = nil
    release(old)
    return old ~= nil, nil
  end
  local maker = resolve(wrapper_name[s])
  if not maker then
    error({ code = "not-found", text = "no wrapper `" .. wrapper_name[s] .. "`: neither a prototype nor a global table" })
  end
  current[s] = value
  local made_now = maker.new(maker, handle(s))
  current[s] = nil
  if type(made_now) ~= "table" then made_now = nil end
  if made_now == nil or not rawequal(made_now, old) then
    wrapper[s] = made_now
    if old then release(old) end
  else
    made_now.value = value
    local sync = made_now.sync
    if sync then sync(made_now) end
  end
  return true, made_now
end

-- A hidden list makes the presenters of `itemWrapper` where no wrapper does.
function known.refresh_list(s, value)
  if type(value) ~= "table" then
    list[s] = nil
    return false
  end
  if not core.new_list then resolve("lua.ViewList") end
  local own = list[s] or core.new_list(item_name[s])
  own.value = value
  core.sync_list(own)
  list[s] = own
  return true
end

-- What `create` makes of a value: once for each.
function known.make(s, value)
  local from = made_from[s]
  if from ~= nil and (rawequal(from, value) or (value == nil and from == NEVER)) then return made[s] end
  local maker = resolve(create_name[s])
  made[s] = nil
  if maker then
    xpcall(function() made[s] = maker.new(maker, value) end, core.report)
  end
  made_from[s] = value == nil and NEVER or value
  return made[s]
end
