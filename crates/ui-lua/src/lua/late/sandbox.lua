-- Coroutines, `load` and `xpcall`, which few sessions use; see `late` in `sandbox.lua`, which says the rest.
local native, known = ...
local _ENV <const> = native.std

-- A handler may be called from inside the hook that found the limit, where Lua runs no hooks: nothing could stop it.
function known.xpcall(f, handler, ...)
  local own = handler
  if type(own) == "function" then
    handler = function(fault)
      if sticky(fault) then return fault end
      if type(fault) == "userdata" then fault = native.describe(fault) end
      return own(fault)
    end
  end
  return settle(xpcall(f, handler, ...))
end

-- Every entry runs in a coroutine of ours, which is what the hook leaves by. A coroutine of the user never dies of an error: what it
-- has to close would be closed without hooks then. It ends with `FAILED` and the error instead, which `resume` turns back.
local of_user = setmetatable({}, { __mode = "k" })
local function FAILED() end

local function finish(ok, ...)
  if ok then return ... end
  return FAILED, ...
end

local function made(f)
  local co = create(function(...) return finish(pcall(f, ...)) end)
  of_user[co] = true
  return co
end

local function resumed(ok, ...)
  if not ok then return settle(false, ...) end
  local first, fault = ...
  if first == nil then
    -- A coroutine that the hook has left looks like one that yields nothing.
    if sticky(nil) then error("limit exceeded", 0) end
  elseif first == FAILED then
    return settle(false, fault)
  end
  return true, ...
end

local function handed_on(ok, ...)
  if ok then return ... end
  error((...), 0)
end

function known.create(f)
  if type(f) ~= "function" then error("bad argument #1 to 'create' (function expected)", 2) end
  return made(f)
end
function known.wrap(f)
  if type(f) ~= "function" then error("bad argument #1 to 'wrap' (function expected)", 2) end
  local co = made(f)
  return function(...) return handed_on(resumed(resume(co, ...))) end
end
function known.resume(...) return resumed(resume(...)) end
function known.close(...) return settle(close(...)) end
function known.yield(...)
  if not of_user[running()] then error("attempt to yield from outside a coroutine", 2) end
  return yield(...)
end
function known.running()
  local co = running()
  return co, not of_user[co]
end
function known.isyieldable() return of_user[running()] ~= nil and isyieldable() end

-- Text only: a made-up binary chunk could do anything to the process.
local function loaded(f, fault)
  if f then return f end
  if sticky(fault) then error("limit exceeded", 0) end
  if type(fault) == "userdata" then fault = native.describe(fault) end
  return nil, fault
end
function known.load(chunk, name, mode, ...)
  if mode ~= nil and mode ~= "t" and mode ~= "bt" then
    return nil, "attempt to load a binary chunk: only text is loaded here"
  end
  if type(chunk) == "number" then chunk = tostring(chunk) end
  if select("#", ...) > 0 then return loaded(load(chunk, name, "t", (...))) end
  return loaded(load(chunk, name, "t"))
end
function known.loadstring(chunk, name) return loaded(load(chunk, name, "t")) end
