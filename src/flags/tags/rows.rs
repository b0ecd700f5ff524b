//! The rows of tag types, tags, and tags on toggles.

use crate::api::{Tag, TagType};
use crate::database::{Row, StoreError, Transaction, params};

impl Transaction<'_> {
    /// Returns all tag types, sorted by name.
    pub(crate) fn list_tag_types(&self) -> Result<Vec<TagType>, StoreError> {
        let sql = "SELECT name, description, icon FROM tag_types ORDER BY name";
        self.query(sql, &[], tag_type_from_row)
    }

    /// Returns a tag type.
    pub(crate) fn find_tag_type(&self, name: &str) -> Result<Option<TagType>, StoreError> {
        let sql = "SELECT name, description, icon FROM tag_types WHERE name = ?1";
        self.query_first(sql, params![name], tag_type_from_row)
    }

    /// Inserts a tag type. Returns false if its name is taken.
    pub(crate) fn insert_tag_type(&self, tag_type: &TagType) -> Result<bool, StoreError> {
        let sql = "INSERT INTO tag_types (name, description, icon) VALUES (?1, ?2, ?3)
                   ON CONFLICT (name) DO NOTHING";
        let TagType { name, description, icon } = tag_type;
        Ok(self.execute(sql, params![name, description, icon])? > 0)
    }

    /// Replaces a tag type except its name. Returns false if it does not exist.
    pub(crate) fn replace_tag_type(&self, tag_type: &TagType) -> Result<bool, StoreError> {
        let sql = "UPDATE tag_types SET description = ?2, icon = ?3 WHERE name = ?1";
        let TagType { name, description, icon } = tag_type;
        Ok(self.execute(sql, params![name, description, icon])? > 0)
    }

    /// Deletes a tag type and its tags. Returns false if it does not exist.
    pub(crate) fn delete_tag_type(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM tag_types WHERE name = ?1", params![name])? > 0)
    }

    /// Returns all tags, or the tags of one type, sorted by type and value.
    pub(crate) fn list_tags(&self, kind: Option<&str>) -> Result<Vec<Tag>, StoreError> {
        let sql = "SELECT type, value FROM tags WHERE ?1 IS NULL OR type = ?1 ORDER BY type, value";
        self.query(sql, params![kind], tag_from_row)
    }

    /// Returns whether a tag exists.
    pub(crate) fn has_tag(&self, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM tags WHERE type = ?1 AND value = ?2";
        Ok(self.find_value::<i64>(sql, params![&tag.kind, &tag.value])?.is_some())
    }

    /// Inserts a tag, whose type must exist. Returns false if the tag exists.
    pub(crate) fn insert_tag(&self, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "INSERT INTO tags (type, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        Ok(self.execute(sql, params![&tag.kind, &tag.value])? > 0)
    }

    /// Deletes a tag and removes it from all toggles. Returns false if it does not exist.
    pub(crate) fn delete_tag(&self, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "DELETE FROM tags WHERE type = ?1 AND value = ?2";
        Ok(self.execute(sql, params![&tag.kind, &tag.value])? > 0)
    }

    /// Returns the tags of a toggle, sorted by type and value.
    pub(crate) fn list_tags_of_toggle(&self, toggle: &str) -> Result<Vec<Tag>, StoreError> {
        let sql = "SELECT type, value FROM toggle_tags WHERE toggle = ?1 ORDER BY type, value";
        self.query(sql, params![toggle], tag_from_row)
    }

    /// Adds a tag to a toggle; both must exist. Returns false if the toggle has the tag.
    pub(crate) fn tag_toggle(&self, toggle: &str, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "INSERT INTO toggle_tags (toggle, type, value) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        Ok(self.execute(sql, params![toggle, &tag.kind, &tag.value])? > 0)
    }

    /// Removes a tag from a toggle. Returns false if the toggle does not have it.
    pub(crate) fn untag_toggle(&self, toggle: &str, tag: &Tag) -> Result<bool, StoreError> {
        let sql = "DELETE FROM toggle_tags WHERE toggle = ?1 AND type = ?2 AND value = ?3";
        Ok(self.execute(sql, params![toggle, &tag.kind, &tag.value])? > 0)
    }
}

fn tag_type_from_row(row: &Row<'_>) -> Result<TagType, StoreError> {
    Ok(TagType { name: row.get("name")?, description: row.get("description")?, icon: row.get("icon")? })
}

fn tag_from_row(row: &Row<'_>) -> Result<Tag, StoreError> {
    Ok(Tag { kind: row.get("type")?, value: row.get("value")? })
}
