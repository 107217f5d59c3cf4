-- Contacts: a list with search, and a form for the contact that is selected.
--
-- Every field of the form is a field of the contact itself, so what the person types is in the list at once, on every open page.

local Contact = session:prototype("Contact", {
  name = "",
  email = "",
  phone = "",
  notes = "",
  starred = false,
})

function Contact:label()
  return self.name == "" and "No name yet" or self.name
end

function Contact:initials()
  local letters = {}
  for word in self.name:gmatch("%S+") do
    letters[#letters + 1] = word:match(utf8.charpattern)
  end
  local first, last = letters[1] or "?", #letters > 1 and letters[#letters] or ""
  return (first .. last):upper()
end

function Contact:detail()
  return self.email ~= "" and self.email or self.phone
end

function Contact:isPlain()
  return not self.starred
end

function Contact:matches(words)
  local text = table.concat({ self.name, self.email, self.phone, self.notes }, "\n"):lower()
  for word in words:lower():gmatch("%S+") do
    if not text:find(word, 1, true) then return false end
  end
  return true
end

function Contact:select()
  session:getApp():open(self)
end

function Contact:isSelected()
  return session:getApp().selected == self
end

local Contacts = session:prototype("Contacts", {
  contacts = EMPTY,
  selected = EMPTY,
  query = "",
  onlyStarred = false,
  asking = false, -- whether to delete the selected contact
})

function Contacts:new(instance)
  local app = session:create(Contacts, instance)
  app.contacts = app.contacts or {}
  return app
end

-- What the list shows. The same objects each time, so rows keep their place and their focus.
function Contacts:visible()
  local found = {}
  for _, contact in ipairs(self.contacts) do
    if contact:matches(self.query) and (contact.starred or not self.onlyStarred) then
      found[#found + 1] = contact
    end
  end
  table.sort(found, function(a, b)
    if a:label():lower() ~= b:label():lower() then return a:label():lower() < b:label():lower() end
    return a.email < b.email
  end)
  return found
end

function Contacts:summary()
  local shown, all = #self:visible(), #self.contacts
  if shown == all then return all == 1 and "1 contact" or all .. " contacts" end
  return shown .. " of " .. all .. " contacts"
end

function Contacts:hasVisible()
  return #self:visible() > 0
end

function Contacts:hasNone()
  return self.selected == nil
end

function Contacts:isOpen()
  return self.selected ~= nil
end

function Contacts:open(contact)
  self.selected = contact
end

function Contacts:close()
  self.selected = nil
end

function Contacts:add()
  local contact = Contact:new()
  table.insert(self.contacts, contact)
  self.query, self.onlyStarred = "", false
  self:open(contact)
end

function Contacts:clearSearch()
  self.query = ""
end

function Contacts:askDelete()
  self.asking = true
end

function Contacts:keep()
  self.asking = false
end

function Contacts:question()
  return self.selected and "Delete " .. self.selected:label() .. "?" or ""
end

function Contacts:delete()
  for index, contact in ipairs(self.contacts) do
    if contact == self.selected then
      table.remove(self.contacts, index)
      mcp.notify("contact_deleted", { name = contact.name, left = #self.contacts })
      break
    end
  end
  self.selected, self.asking = nil, false
end

-- Saving this file runs it again with the state kept; only the first run makes the objects.
if not session.reloading then
  local app = Contacts:new()
  for _, known in ipairs({
    { name = "Ada Lovelace", email = "ada@example.org", phone = "+44 20 7946 0001", starred = true, notes = "Notes on the engine" },
    { name = "Grace Hopper", email = "grace@example.org", phone = "+1 202 555 0106" },
    { name = "Alan Turing", email = "alan@example.org", notes = "Prefers the telephone in the evening" },
    { name = "Katherine Johnson", email = "katherine@example.org", starred = true },
    { name = "Edsger Dijkstra", phone = "+31 20 555 0102" },
  }) do
    table.insert(app.contacts, Contact:new(known))
  end
  session:createAppVariable(app)
end
