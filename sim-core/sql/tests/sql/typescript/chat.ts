export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  private: {
    Tables: {
      ban: {
        Row: {
          reasons: Database["private"]["Enums"]["flag_reason"][] | null
          until: string | null
          user_id: string
        }
        Insert: {
          reasons?: Database["private"]["Enums"]["flag_reason"][] | null
          until?: string | null
          user_id: string
        }
        Update: {
          reasons?: Database["private"]["Enums"]["flag_reason"][] | null
          until?: string | null
          user_id?: string
        }
        Relationships: []
      }
      flag: {
        Row: {
          id: number
          message_id: number | null
          note: string | null
          reason: Database["private"]["Enums"]["flag_reason"]
        }
        Insert: {
          id?: never
          message_id?: number | null
          note?: string | null
          reason: Database["private"]["Enums"]["flag_reason"]
        }
        Update: {
          id?: never
          message_id?: number | null
          note?: string | null
          reason?: Database["private"]["Enums"]["flag_reason"]
        }
        Relationships: []
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      [_ in never]: never
    }
    Enums: {
      flag_reason: "spam" | "abuse" | "other"
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
  public: {
    Tables: {
      attachment: {
        Row: {
          checksum: string | null
          id: string
          message_id: number
          path: string
          size_bytes: number | null
        }
        Insert: {
          checksum?: string | null
          id?: string
          message_id: number
          path: string
          size_bytes?: number | null
        }
        Update: {
          checksum?: string | null
          id?: string
          message_id?: number
          path?: string
          size_bytes?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "attachment_message_id_fkey"
            columns: ["message_id"]
            isOneToOne: true
            referencedRelation: "message"
            referencedColumns: ["id"]
          },
        ]
      }
      channel: {
        Row: {
          created_by: string
          id: number
          inserted_at: string
          kind: Database["public"]["Enums"]["channel_kind"]
          slug: string
        }
        Insert: {
          created_by: string
          id?: number
          inserted_at?: string
          kind?: Database["public"]["Enums"]["channel_kind"]
          slug: string
        }
        Update: {
          created_by?: string
          id?: number
          inserted_at?: string
          kind?: Database["public"]["Enums"]["channel_kind"]
          slug?: string
        }
        Relationships: [
          {
            foreignKeyName: "channel_created_by_fkey"
            columns: ["created_by"]
            isOneToOne: false
            referencedRelation: "profile"
            referencedColumns: ["id"]
          },
        ]
      }
      channel_member: {
        Row: {
          channel_id: number
          muted_until: string | null
          user_id: string
        }
        Insert: {
          channel_id: number
          muted_until?: string | null
          user_id: string
        }
        Update: {
          channel_id?: number
          muted_until?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "channel_member_channel_id_fkey"
            columns: ["channel_id"]
            isOneToOne: false
            referencedRelation: "channel"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "channel_member_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profile"
            referencedColumns: ["id"]
          },
        ]
      }
      invitation: {
        Row: {
          channel_id: number | null
          expires: string
          token: string
          used: boolean | null
        }
        Insert: {
          channel_id?: number | null
          expires: string
          token?: string
          used?: boolean | null
        }
        Update: {
          channel_id?: number | null
          expires?: string
          token?: string
          used?: boolean | null
        }
        Relationships: [
          {
            foreignKeyName: "invitation_channel_id_fkey"
            columns: ["channel_id"]
            isOneToOne: false
            referencedRelation: "channel"
            referencedColumns: ["id"]
          },
        ]
      }
      message: {
        Row: {
          body: string | null
          channel_id: number
          embedding: number[] | null
          id: number
          mentions: string[]
          reply_to: number | null
          user_id: string
        }
        Insert: {
          body?: string | null
          channel_id: number
          embedding?: number[] | null
          id?: number
          mentions?: string[]
          reply_to?: number | null
          user_id: string
        }
        Update: {
          body?: string | null
          channel_id?: number
          embedding?: number[] | null
          id?: number
          mentions?: string[]
          reply_to?: number | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "message_channel_id_fkey"
            columns: ["channel_id"]
            isOneToOne: false
            referencedRelation: "channel"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "message_reply_to_fkey"
            columns: ["reply_to"]
            isOneToOne: false
            referencedRelation: "message"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "message_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profile"
            referencedColumns: ["id"]
          },
        ]
      }
      profile: {
        Row: {
          avatar_url: string | null
          id: string
          status: Json | null
          updated_at: string | null
          username: string | null
        }
        Insert: {
          avatar_url?: string | null
          id: string
          status?: Json | null
          updated_at?: string | null
          username?: string | null
        }
        Update: {
          avatar_url?: string | null
          id?: string
          status?: Json | null
          updated_at?: string | null
          username?: string | null
        }
        Relationships: []
      }
      reaction: {
        Row: {
          emoji: string
          message_id: number
          user_id: string
        }
        Insert: {
          emoji: string
          message_id: number
          user_id: string
        }
        Update: {
          emoji?: string
          message_id?: number
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "reaction_message_id_fkey"
            columns: ["message_id"]
            isOneToOne: false
            referencedRelation: "message"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "reaction_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profile"
            referencedColumns: ["id"]
          },
        ]
      }
      read_marker: {
        Row: {
          channel_id: number
          last_read: number | null
          user_id: string
        }
        Insert: {
          channel_id: number
          last_read?: number | null
          user_id: string
        }
        Update: {
          channel_id?: number
          last_read?: number | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "read_marker_channel_id_user_id_fkey"
            columns: ["channel_id", "user_id"]
            isOneToOne: true
            referencedRelation: "channel_member"
            referencedColumns: ["channel_id", "user_id"]
          },
          {
            foreignKeyName: "read_marker_last_read_fkey"
            columns: ["last_read"]
            isOneToOne: false
            referencedRelation: "message"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      recent: {
        Row: {
          body: string | null
          channel_id: number | null
          id: number | null
        }
        Insert: {
          body?: string | null
          channel_id?: number | null
          id?: number | null
        }
        Update: {
          body?: string | null
          channel_id?: number | null
          id?: number | null
        }
        Relationships: []
      }
    }
    Functions: {
      is_member: {
        Args: { channel: number; person: string }
        Returns: boolean
      }
      notify_all: {
        Args: { "": string }
        Returns: undefined
      }
      unread: {
        Args: Record<PropertyKey, never>
        Returns: number
      }
    }
    Enums: {
      channel_kind: "public" | "private" | "direct"
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DefaultSchema = Database[Extract<keyof Database, "public">]

export type Tables<
  NameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof (Database[NameOrOptions["schema"]]["Tables"] &
        Database[NameOrOptions["schema"]]["Views"])
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? (Database[NameOrOptions["schema"]]["Tables"] &
      Database[NameOrOptions["schema"]]["Views"])[Name] extends {
      Row: infer R
    }
    ? R
    : never
  : NameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[NameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  NameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Tables"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Tables"][Name] extends {
      Insert: infer I
    }
    ? I
    : never
  : NameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][NameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  NameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Tables"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Tables"][Name] extends {
      Update: infer U
    }
    ? U
    : never
  : NameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][NameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  NameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Enums"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Enums"][Name]
  : NameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][NameOrOptions]
    : never

export type CompositeTypes<
  NameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["CompositeTypes"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["CompositeTypes"][Name]
  : NameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][NameOrOptions]
    : never

export const Constants = {
  private: {
    Enums: {
      flag_reason: ["spam", "abuse", "other"],
    },
  },
  public: {
    Enums: {
      channel_kind: ["public", "private", "direct"],
    },
  },
} as const
